"""Writes a batch into its aggregates, exactly once, by compare and set.

Every aggregate is read, absorbs the effects that its checkpoint for this shard does not cover yet, and is put back if
its version is still the one read. So a repeated batch, an invocation that runs beside its own retry, and a request
whose answer was lost all end in the same way: the put is refused, and the checkpoint of the aggregate, read again, says
what it has absorbed. When time runs out, the writer stops between two writes, and finished writes stay.

Refused writes are billed. So after a refusal the writer first does all its other work, then pauses, longer each time,
and reads each aggregate again right before its put.

The effects that full aggregates pass on go to their continuations as a further batch, and so on. A batch that fails
between the two is delivered again in full, so effects that a full aggregate already covers are passed on too.
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

# Threads: while some wait for the table, others work. A few keep one processor busy; more would only add switching.
WRITERS = 8
# How many aggregates are read at once, then written: the sooner the writes follow, the fewer conflicts between shards.
PART = 4 * WRITERS
# How long a pause may be: PAUSE times as long as the refused try took, GROWTH times longer after each further refusal,
# at most LONGEST_PAUSE seconds. It depends on the try, because a slow writer conflicts with others for longer.
PAUSE, GROWTH, LONGEST_PAUSE = 10, 3.0, 10.0


class UnfinishedError(PassingError):
    """There was no time for the whole batch; when it is delivered again, up-to-date aggregates are only read."""

    def __init__(self, done: int, left: int) -> None:
        super().__init__(f"out of time: {done} aggregates are up to date, {left} are left for the next delivery")
        self.done, self.left = done, left


@dataclass(frozen=True)
class Written:
    """The outcome of a batch: how many aggregates were written or already up to date, and how many conflicts occurred.

    `lacking` are the aggregates that could not absorb all of it, each with the reason.
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

    Each aggregate absorbs its own effects in order or not at all, so a batch that fails halfway can simply be
    delivered again. Raises UnfinishedError, UnprocessedError or botocore's errors; after the first error no further
    part is begun.
    """
    return _with_continuations(Writer(table, shard, batch, quarantined, put_version or table.put_version, may_go_on))


def deprive(
    table: Table, shard: str, batch: Batch, quarantined: Quarantined, may_go_on: MayGoOn, why: str, *, by_edges: bool
) -> Written:
    """Note on every aggregate of the batch why it lacks these effects, which will never be delivered.

    `by_edges`: they would have come by edges. If not, aggregates that have certainly absorbed them are left out. Raises
    what `apply` raises.
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
    """The batch in two: aggregates that take their extremes from others come after these, so as not to be ahead."""
    first = {about: effects for about, effects in batch.items() if not about.kind.follows}
    return first, {about: effects for about, effects in batch.items() if about not in first}


def _written(pool: ThreadPoolExecutor, writer: "Writer") -> Written:
    """Bring the aggregates of a batch up to date, without their continuations."""
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
        time.sleep(max(0.0, pause - (ended - started)))  # the other work counts as a pause
    written = sum(outcome is Outcome.WRITTEN for outcome in outcomes.values())
    return Written(written, len(outcomes) - written, conflicts, writer.lacking)


def longest_pause(took: float, refusals: int) -> float:
    """The longest pause, in seconds, after a refused try that took `took` seconds and followed `refusals` refusals."""
    return min(LONGEST_PAUSE, took * PAUSE * GROWTH**refusals)


def _try(pool: ThreadPoolExecutor, writer: "Writer", part: Sequence[AggregateId], *, again: bool) -> Outcomes:
    """Write each aggregate while there is time: after one read of all, or, `again`, after a read before each put."""
    read: Read = writer.read
    if not again and (stored := _stored(writer.table, part)) is not None:
        read = stored.get
        part = sorted(part, key=lambda each: _checkpoints(read(each)), reverse=True)
    slices = [part[start::WRITERS] for start in range(WRITERS)]
    return dict(chain.from_iterable(done.items() for done in pool.map(partial(writer.write_all, read), slices)))


def _stored(table: Table, part: Sequence[AggregateId]) -> Mapping[AggregateId, Item] | None:
    """The items of these aggregates; None if one key is invalid, which will show when that aggregate is read alone."""
    try:
        with sorted_out():
            wanted = {keys.of(each): each for each in part}
            return {wanted[key]: item for key, item in table.get_many(list(wanted)).items()}
    except PoisonError:
        return None


def _checkpoints(item: Item | None) -> int:
    """The bytes of an item's checkpoints: the more shards write it, the sooner its put must follow the read."""
    return len(item["Seqs"]["B"]) if item else 0


def _unfinished(outcomes: Outcomes, batch: Batch) -> UnfinishedError:
    done = sum(outcome is not Outcome.REFUSED for outcome in outcomes.values())
    return UnfinishedError(done, len(batch) - done)


def _mixed(shard: str, batch: Batch) -> Sequence[AggregateId]:
    """The aggregates in the shard's own order, so that shards don't reach those that they share at the same time."""
    return sorted(batch, key=lambda aggregate_id: crc32(f"{shard}{aggregate_id}".encode()))
