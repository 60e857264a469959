"""One look at the watched numbers: the verdict on each, and what the next look must know."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from edgewise import AggregateId, Kind, Millis, Table, clock
from edgewise.stream.register import register
from edgewise.times import SECOND
from functions.systems.proof import store, verdict
from functions.systems.proof.entity import Batch, Covered, Watch
from functions.systems.proof.verdict import Base, Came, Course, Recount, Stored
from functions.web import freshness

# Clocks of functions differ by less than this.
APART: Final[Millis] = SECOND
# A plain sum may lack what was noted so lately.
UNSETTLED: Final[Millis] = SECOND // 4


def is_watchable(kind: Kind) -> bool:
    """Whether checkpoints alone say which delivered records are in the counts of a kind's aggregates."""
    return not (kind.unbounded or kind.opened_in)


@dataclass(frozen=True)
class Left:
    """What a look leaves for the next: of which watch, the recount, and until when all is in the numbers.

    `drifts`: by how much plain sums differed when that could be told last.
    """

    watch: str
    recount: Recount = field(default_factory=Recount)
    since: Millis = 0
    drifts: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """As a cursor keeps it, which is part of an address: shards and numbers repeat, so it is compressed."""
        bases = [each and [*_plain(each.stored), each.difference] for each in self.recount.bases]
        courses = {shard: [course.sequence, course.at] for shard, course in self.recount.courses.items()}
        told = [self.watch, bases, dict(self.recount.delivered), courses, self.since, self.drifts]
        return base64.b64encode(zlib.compress(json.dumps(told, separators=(",", ":")).encode())).decode()

    @classmethod
    def of(cls, text: str) -> Self:
        """The inverse of text; raises ValueError, TypeError or zlib.error for what another release has left."""
        watch, bases, delivered, courses, since, drifts = json.loads(zlib.decompress(base64.b64decode(text)))
        recount = Recount(
            tuple(each and Base(_stored(*each[:3]), each[3]) for each in bases),
            {int(number): count for number, count in delivered.items()},
            {shard: Course(*course) for shard, course in courses.items()},
        )
        return cls(watch, recount, since, tuple(drifts))


@dataclass(frozen=True)
class Look:
    """What was seen: the numbers, by how much each differs (None: it is not compared yet), and what came by shard.

    `quarantined`: how many records are in quarantine, whatever they concern.
    """

    stored: Sequence[Stored]
    differences: Sequence[int | None]
    lacks: Sequence[int]
    added: Sequence[int]
    drifts: Sequence[int]
    came: Mapping[str, Came]
    quarantined: int
    left: Left


def look(table: Table, watch: Watch, abouts: Sequence[AggregateId], before: Left | None) -> Look:
    """Compare the numbers with what was delivered; `before`: what the last look at this watch has left.

    First it reads how far the stream's consumer is, then the numbers, then the notes: so whatever a number has was
    noted before, and whatever is not among the notes was in the numbers before.
    """
    left = before if before and before.watch == watch.id else Left(watch.id, since=watch.since)
    has, began = freshness.having(table), clock.now()
    held = [has(about.kind) for about in abouts]
    found = store.look(table, watch, abouts)
    notes = store.notes(table, watch, left.since - APART)
    recount, came = verdict.delivered(left.recount, notes)
    noted, bases = verdict.records(notes), list[Base | None]()
    for number, (about, stored) in enumerate(zip(abouts, found.stored, strict=True)):
        base = recount.bases[number] if recount.bases else None
        if base:
            bases.append(verdict.compared(number, base, stored, noted, shared=about.kind.shared))
        else:
            bases.append(Base(stored) if held[number] >= watch.since + APART else None)
    drifts = left.drifts
    if all(batch.at < began - UNSETTLED for batch in notes):
        drifts = tuple(added - recount.delivered.get(number, 0) for number, added in enumerate(found.plain))
    kept = Left(watch.id, replace(recount, bases=tuple(bases)), max(left.since, min(held)), drifts)
    differences = [each.difference if each else None for each in bases]
    aside = register(table)
    lacks = _lacking(aside.quarantined, notes, found.lacks)
    return Look(found.stored, differences, lacks, found.plain, drifts or [0] * len(abouts), came, aside.count, kept)


def _lacking(quarantined: Mapping[str, Set[int]], notes: Sequence[Batch], lacks: Sequence[str]) -> list[int]:
    """How many noted records of each number are in quarantine; one at least if it says itself that it lacks any."""
    found = {
        (batch.shard, record.sequence): record
        for batch in notes
        for record in batch.records
        if record.sequence in quarantined.get(batch.shard, ())
    }
    return [
        max(sum(1 for record in found.values() if number in record.counts), 1 if said else 0)
        for number, said in enumerate(lacks)
    ]


def _plain(stored: Stored) -> list[Any]:
    covered = {shard: [each.sequence, sorted(each.missing)] for shard, each in stored.covered.items()}
    return [stored.count, covered, stored.repaired]


def _stored(count: int, covered: Mapping[str, Any], repaired: int) -> Stored:
    points = {shard: Covered(last, frozenset(missing)) for shard, (last, missing) in covered.items()}
    return Stored(count, points, repaired)
