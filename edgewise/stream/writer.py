"""Writes a batch into its aggregates, exactly once, by compare and set.

Every aggregate is read, absorbs the effects that its checkpoint for this shard does not cover yet, and is replaced if
its version is still the one read. Some are read and replaced together; each is taken or refused on its own. So a
repeated batch, an invocation that runs beside its own retry, and a request whose answer was lost all end in the same
way: the replacement is refused, and the checkpoint of the aggregate, read again, says what it has absorbed. When time
runs out, the writer stops between two requests, and finished writes stay.

Refused writes are billed. After a refusal the writer first does all its other work, then pauses, longer each time, and
reads each aggregate again right before its replacement.

Rankings are judged last, when all aggregates are stored.

The effects that full aggregates pass on go to their continuations as a further batch, and so on. A batch that fails
between the two is delivered again in full, so effects that a full aggregate already covers are passed on too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import count
from zlib import crc32

from edgewise import clock, surroundings
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import NOTHING_QUARANTINED, Quarantined
from edgewise.aggregates.effects import Batch
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.rankings import judging
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import KEYS_PER_BATCH, STATEMENTS_PER_BATCH, Table, chunks, singly
from edgewise.errors import PassingError
from edgewise.stream import incomplete
from edgewise.stream.compare_and_set import Replace, Writer, in_turn
from edgewise.stream.outcomes import Done, Lacking, Outcome
from edgewise.surroundings import Threads

# Threads: while some wait for the table, others work. A few keep one processor busy; more would only add switching.
WRITERS = 3
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
    lacking: Lacking

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
    replace: Replace | None = None,
    may_go_on: MayGoOn = lambda: True,
    heard: int = 0,
) -> Written:
    """Bring every aggregate of the batch up to its last effect. `quarantined` names the records in quarantine.

    `heard`: the version of the last change of doubts, if it is recent.

    Each aggregate absorbs its own effects in order or not at all, so a batch that fails halfway can simply be
    delivered again. Raises UnfinishedError, UnprocessedError or botocore's errors; after the first error no further
    part is begun.
    """
    by, many = (replace, partial(singly, replace)) if replace else (table.replace, table.replace_many)
    return _with_continuations(Writer(table, shard, batch, quarantined, by, many, may_go_on, heard=heard))


def deprive(
    table: Table, shard: str, batch: Batch, quarantined: Quarantined, may_go_on: MayGoOn, why: str, *, by_edges: bool
) -> Written:
    """Note on every aggregate of the batch why it lacks these effects, which will never be delivered.

    `by_edges`: they would have come by edges. If not, aggregates that have certainly absorbed them are left out. Raises
    what `apply` raises.
    """
    by, many = table.replace, table.replace_many
    return _with_continuations(Writer(table, shard, batch, quarantined, by, many, may_go_on, why, by_edges))


def _with_continuations(writer: "Writer") -> Written:
    ended, stored = Written(0, 0, 0, {}), dict[AggregateId, Aggregate | None]()
    with surroundings.threads(WRITERS) as pool:
        for part in in_turn(writer.batch):
            while part:
                written, done = _written(pool, replace(writer, batch=part))
                ended += written
                stored |= _stored(done)
                part = done.passed_on(part)
    # Only once they are stored: whoever changes a ranking must be able to find what it names.
    return ended + Written(0, 0, 0, judge(writer.table, stored, writer.may_go_on) if stored else {})


def judge(table: Table, stored: Mapping[AggregateId, Aggregate | None], may_go_on: MayGoOn) -> Lacking:
    """Bring the rankings of stored aggregates up to date; returns those that they can't take, on which it notes why.

    `stored` is as in judging.judge. Raises UnjudgedError.
    """
    lacking = judging.judge(table, stored, may_go_on)
    for about, reason in lacking.items():
        incomplete.note(table, about, reason)
    return lacking


def _written(pool: Threads, writer: Writer) -> tuple[Written, Done]:
    """Bring the aggregates of a batch up to date, without their continuations."""
    left, done, conflicts = _mixed(writer.shard, writer.batch), Done(), 0
    for refusals in count():
        size = 1 if refusals else STATEMENTS_PER_BATCH  # of what is replaced together
        parts = chunks(left, size) if refusals else _parts(left)
        started = clock.monotonic()
        write = partial(writer.write_alone, known=done.acknowledged) if refusals else writer.write
        found = reduce(Done.then, pool.map(write, parts), Done())
        done, tried = done.then(found), len(left)
        if len(found.ended) < tried:
            raise _unfinished(done, writer.batch)
        left = done.left(left)
        if not left:
            break
        conflicts += len(left)
        ended = clock.monotonic()
        took = (ended - started) * min(1.0, WRITERS * size / tried)  # about as long as one replacement
        pause = surroundings.uniform(0, longest_pause(took, refusals))
        clock.sleep(max(0.0, pause - (ended - started)))  # the other work counts as a pause
    return Written(done.count(Outcome.WRITTEN), done.count(Outcome.CURRENT), conflicts, done.lacking), done


def _stored(done: Done) -> dict[AggregateId, Aggregate | None]:
    """What is ranked, as it was written; None: it was up to date already."""
    return {
        about: each.item if each.outcome is Outcome.WRITTEN else None
        for about, each in done.ended.items()
        if about.kind.ranked and each.item
    }


def _parts(left: Sequence[AggregateId]) -> Iterator[Sequence[AggregateId]]:
    """Those that are read together: as many as one request reads, but a part for each writer, in full requests."""
    requests = -(-len(left) // (WRITERS * STATEMENTS_PER_BATCH))
    return chunks(left, min(requests * STATEMENTS_PER_BATCH, KEYS_PER_BATCH))


def longest_pause(took: float, refusals: int) -> float:
    """The longest pause, in seconds, after a refused try that took `took` seconds and followed `refusals` refusals."""
    return min(LONGEST_PAUSE, took * PAUSE * GROWTH**refusals)


def _unfinished(done: Done, batch: Batch) -> UnfinishedError:
    ended = len(done.ended) - done.count(Outcome.REFUSED)
    return UnfinishedError(ended, len(batch) - ended)


def _mixed(shard: str, batch: Batch) -> Sequence[AggregateId]:
    """The aggregates in the shard's own order, so that shards don't reach those that they share at the same time."""
    return sorted(batch, key=lambda aggregate_id: crc32(f"{shard}{aggregate_id}".encode()))
