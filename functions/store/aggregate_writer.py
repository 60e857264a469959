"""Writes a batch into its aggregates, exactly once, by compare and set.

Every aggregate is read, absorbs the entries its mark for this lane does not cover yet (in the domain), and is put
back if its version is still the one read. So a repeated batch, an invocation that runs beside its own retry and a
request whose answer was lost all end in the same way: the refusal returns the item as it is now, whose mark says
what is already in. Out of time it stops between two writes, and what it has written stays in.

What fails by its input is isolated: entries that an aggregate can't take are passed over and noted on it, everything
else goes in.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from zlib import crc32

from functions.domain.aggregates import NOTHING_HELD, Absorbed, Aggregate, AggregateId, Batch, Entry, Held
from functions.domain.errors import PassingError
from functions.store import clock, incomplete, keys
from functions.store.aggregate_items import aggregate, aggregate_item
from functions.store.attributes import Item
from functions.store.failures import PoisonError, sorted_out
from functions.store.recount import recount
from functions.store.table import RefusedError, Table, chunks

MAX_CONFLICTS = 50
# While some wait for the table, others work: a few keep one processor busy, and more of them only switch more often.
WRITERS = 8
# How many aggregates are read at once, then written: the sooner after, the fewer conflicts with other lanes.
PART = 4 * WRITERS
# To find the entries that an aggregate can't take, its entries are halved again and again, but not for ever.
MAX_TRIES = 64


class ContentionError(PassingError):
    """An aggregate kept changing under the writer's hands; the batch is delivered again."""

    def __init__(self, aggregate_id: AggregateId) -> None:
        super().__init__(f"{aggregate_id} changed {MAX_CONFLICTS} times between reading and writing")
        self.aggregate_id = aggregate_id


class UnfinishedError(PassingError):
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
    """How a batch ended: aggregates written, found up to date already, and conflicts on the way.

    `lacking` are those that could not take all of it, each with the reason.
    """

    written: int
    current: int
    conflicts: int
    lacking: Mapping[AggregateId, str]


class _NoTimeError(PassingError):
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
    return Written(len(met), len(conflicts) - len(met), sum(met), writer.lacking)


def _read(table: Table, part: Sequence[AggregateId], batch: Batch) -> list[Work]:
    try:
        with sorted_out():
            wanted = [keys.aggregate(aggregate_id) for aggregate_id in part]
            stored = table.get_many(wanted)
    except PoisonError:  # a key that can't be: as if nothing had been read, the writes will tell which one it is
        return [(each, batch[each], None) for each in part]
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
    lacking: dict[AggregateId, str] = field(default_factory=dict)

    def write_all(self, work: Sequence[Work]) -> list[int | None]:
        """What `write` says of each, in order, as far as the time goes."""
        conflicts = []
        with suppress(_NoTimeError):
            for each in work:
                conflicts.append(self.write(*each))
        return conflicts

    def write(self, aggregate_id: AggregateId, entries: Sequence[Entry], item: Item | None) -> int | None:
        """The number of conflicts met, or None if everything was in already."""
        try:
            with sorted_out():
                return self._absorbed(aggregate_id, entries, item)
        except PoisonError:
            return self._isolated(aggregate_id, entries)

    def _absorbed(
        self, aggregate_id: AggregateId, entries: Sequence[Entry], item: Item | None, lacks: str = ""
    ) -> int | None:
        """As `write`; with a reason what the aggregate lacks, it passes over the entries."""
        for conflicts in range(MAX_CONFLICTS):
            current, now = aggregate(aggregate_id, item), clock.now()
            if lacks:
                absorbed = current.without(self.lane, entries, lacks, now, self.held)
            else:
                absorbed = current.absorb(self.lane, entries, now, self.held)
            if absorbed is None:
                return None
            if not self.may_go_on():
                raise _NoTimeError
            if absorbed.aggregate.lacks and not current.lacks:
                self._note(aggregate_id, absorbed.aggregate.lacks)
            try:
                self.put_version(aggregate_item(_fresh(self.table, absorbed)), current.version)
            except RefusedError as refusal:
                item = refusal.item
            else:
                return conflicts
        raise ContentionError(aggregate_id)

    def _isolated(self, aggregate_id: AggregateId, entries: Sequence[Entry]) -> int:
        """Take in, in their order, those of the entries that can be taken in, and pass over the others."""
        parts, tries = [entries], 0
        while parts:
            part = parts.pop()
            try:
                with sorted_out():
                    self._absorbed(aggregate_id, part, self.table.get(keys.aggregate(aggregate_id)))
            except PoisonError as poison:
                tries += 1
                if len(part) == 1 or tries > MAX_TRIES:
                    self._pass_over(aggregate_id, part, poison.reason)
                else:
                    half = len(part) // 2
                    parts += [part[half:], part[:half]]
        return 0

    def _pass_over(self, aggregate_id: AggregateId, entries: Sequence[Entry], reason: str) -> None:
        try:
            with sorted_out():
                self._absorbed(aggregate_id, entries, self.table.get(keys.aggregate(aggregate_id)), reason)
        except PoisonError:  # nothing can be written for this aggregate at all
            self._note(aggregate_id, reason)

    def _note(self, aggregate_id: AggregateId, reason: str) -> None:
        incomplete.note(self.table, aggregate_id, reason)
        self.lacking[aggregate_id] = reason


def _fresh(table: Table, absorbed: Absorbed) -> Aggregate:
    if not absorbed.stale:
        return absorbed.aggregate
    recounted = recount(table, absorbed.aggregate.id, absorbed.stale)
    return absorbed.aggregate.with_extremes_of(recounted, absorbed.stale)
