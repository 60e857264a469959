"""Writes a batch into its aggregates, exactly once, by compare and set.

Every aggregate is read, absorbs the effects that its checkpoint for this shard does not cover yet, and is put back if
its version is still the one read. So a repeated batch, an invocation that runs beside its own retry and a request whose
answer was lost all end in the same way: the put is refused, and the checkpoint of the aggregate, read again, says what
is already in. Out of time it stops between two writes, and what it has written stays in.

Refused writes are billed. So who was refused does all its other work first, then pauses, longer each time, and reads
again right before it puts.

What full aggregates leave over goes to their continuations, as a further batch, and so on. A batch that fails between
the two comes again whole: therefore also what a full aggregate covers already is passed on.
"""

import random
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from zlib import crc32

from functions.aggregates import keys
from functions.aggregates.checkpoints import NOTHING_QUARANTINED, Quarantined
from functions.aggregates.effects import Batch
from functions.aggregates.ids import AggregateId
from functions.dynamodb.attributes import Item
from functions.dynamodb.table import Table, chunks
from functions.errors import PassingError
from functions.failures import PoisonError, sorted_out
from functions.stream.compare_and_set import MayGoOn, Outcome, Outcomes, PutVersion, Read, Writer

# While some wait for the table, others work: a few keep one processor busy, and more of them only switch more often.
WRITERS = 8
# How many aggregates are read at once, then written: the sooner after, the fewer conflicts with other shards.
PART = 4 * WRITERS
# How long a pause may be: so many times as long as the try that was refused, so many times more after each further
# refusal, and never more seconds than these. In the time of the tries, because who is slow is in the way for longer.
PAUSE, GROWTH, LONGEST_PAUSE = 10, 3.0, 10.0


class UnfinishedError(PassingError):
    """There was no time for the whole batch; it is delivered again, and what is in is then only read."""

    def __init__(self, done: int, left: int) -> None:
        super().__init__(f"out of time: {done} aggregates are up to date, {left} are left for the next delivery")
        self.done, self.left = done, left


@dataclass(frozen=True)
class Written:
    """How a batch ended: aggregates written, found up to date already, and conflicts on the way.

    `lacking` are those that could not take all of it, each with the reason.
    """

    written: int
    current: int
    conflicts: int
    lacking: Mapping[AggregateId, str]

    def __add__(self, other: "Written") -> "Written":
        return Written(
            self.written + other.written,
            self.current + other.current,
            self.conflicts + other.conflicts,
            {**self.lacking, **other.lacking},
        )


def apply(
    table: Table,
    shard: str,
    batch: Batch,
    quarantined: Quarantined = NOTHING_QUARANTINED,
    put_version: PutVersion | None = None,
    may_go_on: MayGoOn = lambda: True,
) -> Written:
    """Bring every aggregate of the batch up to its last effect. `quarantined` names the records in quarantine.

    Each aggregate takes in its own effects in order or not at all, so a batch that fails half way can simply be
    delivered again. Raises UnfinishedError, UnprocessedError or botocore's errors; after the first one no further
    part is begun.
    """
    return _with_continuations(Writer(table, shard, batch, quarantined, put_version or table.put_version, may_go_on))


def deprive(
    table: Table, shard: str, batch: Batch, quarantined: Quarantined, may_go_on: MayGoOn, why: str, *, by_edges: bool
) -> Written:
    """Note on every aggregate of the batch why it lacks these effects, which will never be delivered.

    `by_edges`: they would have come by edges; else those are left out that surely have them. Raises what `apply` does.
    """
    return _with_continuations(Writer(table, shard, batch, quarantined, table.put_version, may_go_on, why, by_edges))


def _with_continuations(writer: "Writer") -> Written:
    ended = Written(0, 0, 0, {})
    with ThreadPoolExecutor(WRITERS) as pool:
        for part in _in_turn(writer.batch):
            while part:
                writer = replace(writer, batch=part, lacking={}, full={})
                ended += _written(pool, writer)
                part = writer.passed_on()
    return ended


def _in_turn(batch: Batch) -> tuple[Batch, Batch]:
    """What takes its extremes from others comes after them: they must never be behind it."""
    first = {about: effects for about, effects in batch.items() if not about.kind.follows}
    return first, {about: effects for about, effects in batch.items() if about not in first}


def _written(pool: ThreadPoolExecutor, writer: "Writer") -> Written:
    """Bring the aggregates of a batch up to date, but not yet their continuations."""
    left, outcomes, conflicts = _mixed(writer.shard, writer.batch), Outcomes(), 0
    for refusals in count():
        started = time.monotonic()
        for part in chunks(left, PART):
            began = time.monotonic()
            done = _try(pool, writer, part, again=refusals > 0)
            outcomes |= done
            if len(done) < len(part):
                raise _unfinished(outcomes, writer.batch)
        left = [each for each in left if outcomes[each] is Outcome.REFUSED]
        if not left:
            break
        conflicts += len(left)
        ended = time.monotonic()
        pause = random.uniform(0, longest_pause(ended - began, refusals))
        time.sleep(max(0.0, pause - (ended - started)))  # the other work has been a pause too
    written = sum(outcome is Outcome.WRITTEN for outcome in outcomes.values())
    return Written(written, len(outcomes) - written, conflicts, writer.lacking)


def longest_pause(took: float, refusals: int) -> float:
    """How many seconds to pause at most after a refused try that took so many, and so many refusals before it."""
    return min(LONGEST_PAUSE, took * PAUSE * GROWTH**refusals)


def _try(pool: ThreadPoolExecutor, writer: "Writer", part: Sequence[AggregateId], *, again: bool) -> Outcomes:
    """What becomes of each, as far as the time goes: after one read of all, or, `again`, one just before each put."""
    read: Read = writer.read
    if not again and (stored := _stored(writer.table, part)) is not None:
        read = stored.get
        part = sorted(part, key=lambda each: _checkpoints(read(each)), reverse=True)
    slices = [part[start::WRITERS] for start in range(WRITERS)]
    return dict(chain.from_iterable(done.items() for done in pool.map(partial(writer.write_all, read), slices)))


def _stored(table: Table, part: Sequence[AggregateId]) -> Mapping[AggregateId, Item] | None:
    """The items of these aggregates; None if one of their keys can't be, which will show when it is read alone."""
    try:
        with sorted_out():
            wanted = {keys.of(each): each for each in part}
            return {wanted[key]: item for key, item in table.get_many(list(wanted)).items()}
    except PoisonError:
        return None


def _checkpoints(item: Item | None) -> int:
    """Bytes of its checkpoints: the more shards write an aggregate, the sooner it is put after it was read."""
    return len(item["Seqs"]["B"]) if item else 0


def _unfinished(outcomes: Outcomes, batch: Batch) -> UnfinishedError:
    done = sum(outcome is not Outcome.REFUSED for outcome in outcomes.values())
    return UnfinishedError(done, len(batch) - done)


def _mixed(shard: str, batch: Batch) -> Sequence[AggregateId]:
    """The aggregates in an order of the shard's own, lest all shards come to those that they share at the same time."""
    return sorted(batch, key=lambda aggregate_id: crc32(f"{shard}{aggregate_id}".encode()))
