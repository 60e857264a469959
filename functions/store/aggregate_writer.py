"""Writes a batch into its aggregates, exactly once, by compare and set.

Every aggregate is read, absorbs the entries its mark for this lane does not cover yet (in the domain), and is put
back if its version is still the one read. So a repeated batch, an invocation that runs beside its own retry and a
request whose answer was lost all end in the same way: the refusal returns the item as it is now, whose mark says
what is already in. Out of time it stops between two writes, and what it has written stays in.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from zlib import crc32

from functions.domain.aggregates import NOTHING_HELD, Absorbed, Aggregate, AggregateId, Batch, Entry, Held
from functions.store import keys
from functions.store.aggregate_items import aggregate, aggregate_item
from functions.store.attributes import Item
from functions.store.recount import recount
from functions.store.table import RefusedError, Table, chunks

MAX_CONFLICTS = 50
# While some wait for the table, others work: a few keep one processor busy, and more of them only switch more often.
WRITERS = 8
# How many aggregates are read at once, then written: the sooner after, the fewer conflicts with other lanes.
PART = 4 * WRITERS


class ContentionError(Exception):
    """An aggregate kept changing under the writer's hands; the batch is delivered again."""

    def __init__(self, aggregate_id: AggregateId) -> None:
        super().__init__(f"{aggregate_id} changed {MAX_CONFLICTS} times between reading and writing")
        self.aggregate_id = aggregate_id


class UnfinishedError(Exception):
    """There was no time for the whole batch; it is delivered again, and what is in is then only read."""

    def __init__(self, done: int, left: int) -> None:
        super().__init__(f"out of time: {done} aggregates are up to date, {left} are left for the next delivery")
        self.done, self.left = done, left


# An aggregate, what changes in it, and its item as it was read.
Work = tuple[AggregateId, Sequence[Entry], Item | None]
# Whether there is time to begin with another write.
MayGoOn = Callable[[], bool]
# Writes an item if the stored version is the one given; raises RefusedError. (Table.put_version is one.)
PutVersion = Callable[[Item, int], None]


@dataclass(frozen=True)
class Written:
    """How a batch ended: aggregates written, found up to date already, and conflicts on the way."""

    written: int
    current: int
    conflicts: int


class _NoTimeError(Exception):
    """The next write would have to begin too late."""


def apply(
    table: Table,
    lane: str,
    batch: Batch,
    held: Held = NOTHING_HELD,
    put_version: PutVersion | None = None,
    may_go_on: MayGoOn = lambda: True,
) -> Written:
    """Bring every aggregate of the batch up to its last entry. `held` names the records in quarantine.

    Each aggregate takes in its own entries in order or not at all, so a batch that fails half way can simply be
    delivered again. Raises UnfinishedError, ContentionError, UnprocessedError or botocore's errors; after the first
    one no further part is begun.
    """
    writer = _Writer(table, lane, held, put_version or table.put_version, may_go_on)
    conflicts: list[int | None] = []
    with ThreadPoolExecutor(WRITERS) as pool:
        for part in chunks(_in_turn(lane, batch), PART):
            work = _read(table, part, batch)
            done = list(chain.from_iterable(pool.map(writer.write_all, [work[i::WRITERS] for i in range(WRITERS)])))
            conflicts += done
            if len(done) < len(part):
                raise UnfinishedError(len(conflicts), len(batch) - len(conflicts))
    met = [number for number in conflicts if number is not None]
    return Written(len(met), len(conflicts) - len(met), sum(met))


def _read(table: Table, part: Sequence[AggregateId], batch: Batch) -> list[Work]:
    wanted = [keys.aggregate(aggregate_id) for aggregate_id in part]
    stored = table.get_many(wanted)
    return [(each, batch[each], stored.get(key)) for each, key in zip(part, wanted, strict=True)]


def _in_turn(lane: str, batch: Batch) -> list[AggregateId]:
    """The aggregates in an order of the lane's own, lest all lanes come to those that they share at the same time."""
    return sorted(batch, key=lambda aggregate_id: crc32(f"{lane}{aggregate_id}".encode()))


@dataclass(frozen=True)
class _Writer:
    table: Table
    lane: str
    held: Held
    put_version: PutVersion
    may_go_on: MayGoOn

    def write_all(self, work: Sequence[Work]) -> list[int | None]:
        """What `write` says of each, in order, as far as the time goes."""
        conflicts = []
        with suppress(_NoTimeError):
            for each in work:
                conflicts.append(self.write(*each))
        return conflicts

    def write(self, aggregate_id: AggregateId, entries: Sequence[Entry], item: Item | None) -> int | None:
        """The number of conflicts met, or None if everything was in already."""
        for conflicts in range(MAX_CONFLICTS):
            current = aggregate(aggregate_id, item)
            absorbed = current.absorb(self.lane, entries, self.held)
            if absorbed is None:
                return None
            if not self.may_go_on():
                raise _NoTimeError
            try:
                self.put_version(aggregate_item(_fresh(self.table, absorbed)), current.version)
            except RefusedError as refusal:
                item = refusal.item
            else:
                return conflicts
        raise ContentionError(aggregate_id)


def _fresh(table: Table, absorbed: Absorbed) -> Aggregate:
    if not absorbed.stale:
        return absorbed.aggregate
    recounted = recount(table, absorbed.aggregate.id, absorbed.stale)
    return absorbed.aggregate.with_extremes_of(recounted, absorbed.stale)
