"""The verdict: each number is compared with a recount of all that was delivered, up to what it says that it has.

A recount begins with a *base*: the number and its checkpoints, read once all that was stored before the watch began is
in it. From then on, every record that the number takes in has been noted when it was delivered. So its checkpoints tell
which of the noted records should be in it, once each; those of a shared number tell which carriers, and these which
records. Each step compares what has come since the one before, so its price is that of what is new.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from edgewise import Millis
from functions.systems.proof.entity import NOTHING, Batch, Covered, Noted


@dataclass(frozen=True)
class Stored:
    """A number as it is stored: its count, up to which record of each shard it has everything, and its last repair."""

    count: int
    covered: Mapping[str, Covered]
    repaired: int = 0


@dataclass(frozen=True)
class Base:
    """A number at the last step, and by how much it differed from the recount then."""

    stored: Stored
    difference: int = 0


@dataclass(frozen=True)
class Course:
    """How far a shard's notes have been looked at: its last record, and when the last batch was delivered."""

    sequence: int = -1
    at: Millis = -1


class Came(NamedTuple):
    """How many records of a shard were delivered in a step for the first time, and how many came again."""

    delivered: int
    again: int


@dataclass(frozen=True)
class Recount:
    """What one step leaves for the next: of each number its base, once it has one, and the sum of what was delivered.

    `courses`: by shard, up to where that sum goes.
    """

    bases: tuple[Base | None, ...] = ()
    delivered: Mapping[int, int] = field(default_factory=dict)
    courses: Mapping[str, Course] = field(default_factory=dict)


def delivered(known: Recount, batches: Iterable[Batch]) -> tuple[Recount, Mapping[str, Came]]:
    """Add what was delivered since, each record once; and tell what came of each shard."""
    sums, courses, came = defaultdict(int, known.delivered), dict(known.courses), dict[str, Came]()
    for batch in sorted(batches, key=lambda each: each.at):
        course = courses.get(batch.shard, Course())
        if batch.at <= course.at:
            continue  # of an earlier step
        fresh = [record for record in batch.records if record.sequence > course.sequence]
        for record in fresh:
            for number, count in record.counts.items():
                sums[number] += count
        last = max([course.sequence, *(record.sequence for record in fresh)])
        courses[batch.shard] = Course(last, batch.at)
        before = came.get(batch.shard, Came(0, 0))
        came[batch.shard] = Came(before.delivered + len(fresh), before.again + len(batch.records) - len(fresh))
    return Recount(known.bases, sums, courses), came


# By shard and sequence number.
Records = Mapping[str, Mapping[int, Noted]]


def records(notes: Iterable[Batch]) -> Records:
    """The records of these batches, each once."""
    found = defaultdict[str, dict[int, Noted]](dict)
    for batch in notes:
        found[batch.shard].update({record.sequence: record for record in batch.records})
    return found


def compared(number: int, base: Base, now: Stored, noted: Records, *, shared: bool) -> Base | None:
    """A number as it is now, with its difference from the recount; `shared`: whether carriers bring it its changes.

    The notes must have all that was delivered since the base and is not in it. None: it was repaired, by what no record
    brought, so the comparison begins anew.
    """
    if now.repaired != base.stored.repaired:
        return None
    came = _came(base.stored, now, noted)
    due = _carried(number, came, noted) if shared else sum(each.counts.get(number, 0) for each in came)
    return Base(now, base.difference + now.count - base.stored.count - due)


def _came(before: Stored, after: Stored, records: Records) -> list[Noted]:
    """The noted records that are behind a number's checkpoints now, and were not before."""
    return [
        record
        for shard, covered in after.covered.items()
        for record in records.get(shard, {}).values()
        if covered.has(record.sequence) and not before.covered.get(shard, NOTHING).has(record.sequence)
    ]


def _carried(number: int, came: Iterable[Noted], records: Records) -> int:
    """What these carriers' records bring to a shared number."""
    return sum(
        record.counts.get(number, 0)
        for carries in (each.carries for each in came)
        if carries
        for record in records.get(carries.shard, {}).values()
        if carries.brings(record.sequence) and record.groups.get(number, 0) == carries.group
    )
