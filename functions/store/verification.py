"""One aggregate counted anew from its stored sources, beside what is stored; and put right if somebody asks for it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from functions.domain.aggregates import Aggregate, AggregateId
from functions.domain.continuations import merged, put_right
from functions.domain.measures import Cell
from functions.store import clock, continuations, keys
from functions.store.aggregate_items import aggregate_item, bucket_start
from functions.store.attributes import Item
from functions.store.cells import pack
from functions.store.held import register
from functions.store.recount import source_contributions
from functions.store.sources import Reader, StoppedError, find
from functions.store.table import Table, TransactionRefusedError
from functions.store.writes import Check, Put, at_version

MayGoOn = Callable[[], bool]


class RepairRefusedError(Exception):
    """Nothing was written, because what was counted can't be trusted to be the whole truth."""


@dataclass(frozen=True)
class Verification:
    """An aggregate as stored, and its cells counted from `sources` items; not `complete` if there was no time.

    `items` are the aggregate and its continuations.
    """

    items: Sequence[Aggregate]
    recounted: Mapping[str, Cell]
    sources: int
    complete: bool

    @property
    def stored(self) -> Aggregate:
        """The aggregate with all of its cells."""
        return merged(self.items)

    @property
    def equal(self) -> bool:
        """Whether the aggregate says what its sources say."""
        counted = {name: cell for name, cell in self.stored.cells.items() if cell.counts}
        return self.complete and counted == self.recounted

    def packed(self, cells: Mapping[str, Cell]) -> dict[str, str]:
        """Cells in the short form in which they are stored."""
        return {
            name: str(next(iter(pack(cell, bucket_start(self.stored.id, name)).values())))
            for name, cell in cells.items()
        }


def verify(table: Table, aggregate_id: AggregateId, may_go_on: MayGoOn) -> Verification:
    """Count an aggregate anew, page by page while `may_go_on`. Changes that the stream still holds make a difference.

    Raises MalformedRecordError for a source that can't be understood.
    """
    stored = continuations.whole(table, aggregate_id)
    reader, cells = Reader(table, may_go_on), dict[str, Cell]()
    try:
        for item in find(reader, aggregate_id):
            _add(cells, aggregate_id, item)
    except StoppedError:
        return Verification(stored, cells, reader.items, complete=False)
    return Verification(stored, cells, reader.items, complete=True)


def repair(table: Table, aggregate_id: AggregateId, pause: Callable[[], None], may_go_on: MayGoOn) -> Verification:
    """Write what the sources say, if the aggregate and its sources are the same before and after a pause.

    The pause must be longer than changes need through the stream, or one under way would count twice. A change may also
    come into quarantine meanwhile, and be redriven later: so what is written holds only if the register is as it was.
    Returns what was found; raises RepairRefusedError.
    """
    known = register(table)
    if known.count:
        raise RepairRefusedError("there are records in quarantine: redrive them first")
    found = verify(table, aggregate_id, may_go_on)
    if found.equal:
        return found
    pause()
    again = verify(table, aggregate_id, may_go_on)
    if not again.complete:
        raise RepairRefusedError("there was no time to count everything")
    if again != found:
        raise RepairRefusedError("it or its sources are being changed")
    unchanged = Check(keys.quarantine.REGISTER, at_version(known.version))
    try:
        for item in put_right(found.items, found.recounted):
            if item not in found.items:
                next_one = replace(item, version=item.next_version(clock.now()))
                table.transact([Put(aggregate_item(next_one), at_version(item.version)), unchanged])
    except TransactionRefusedError as refusal:
        raise RepairRefusedError("it, or what is in quarantine, is being changed") from refusal
    return found


def _add(cells: dict[str, Cell], aggregate_id: AggregateId, item: Item) -> None:
    for name, observation in source_contributions(item).get(aggregate_id, {}).items():
        cells.setdefault(name, Cell()).add(observation)
