"""Rereads the extremes of some cells of one aggregate from its sources, a bounded number of items at a time.

This is needed when a removed value may have been a minimum, maximum, first or last. The sources are read strongly
consistent, after the aggregate's version was read. They may already show changes whose records are still to come:
additions among these will not widen the extremes further, and removals will ask for another recount.
"""

from collections.abc import Iterable, Set
from dataclasses import replace
from decimal import Decimal

from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Extremes, Observations
from edgewise.aggregates.recounts.candidates import plain, source
from edgewise.aggregates.recounts.declaration import FromOthers, Read, contributions
from edgewise.aggregates.recounts.from_others import derived
from edgewise.aggregates.recounts.progress import START, Position, Progress
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.errors import MalformedRecordError
from edgewise.failures import PoisonError, sorted_out

# How many sources to read at most for the extremes of one aggregate before it is written: one page.
ITEMS = 1000


def first_step(table: Table, about: AggregateId, names: Set[str], may_go_on: MayGoOn = lambda: True) -> Progress | None:
    """The first step of a recount, which is short; later ones follow (recounts/going_on.py)."""
    return step(table, about, names, START, ITEMS, may_go_on)


def step(
    table: Table,
    aggregate_id: AggregateId,
    names: Set[str],
    position: Position = START,
    items: int = 1000,
    may_go_on: MayGoOn = lambda: True,
) -> Progress | None:
    """Read on from a position, up to `items` items or until `may_go_on` is false; None if one can't be understood.

    A request counts as one item at least.
    """
    about, extremal = aggregate_id.aggregate, aggregate_id.kind.extremes
    assert extremal is not None, f"{about} has no extremes"
    if isinstance(extremal.found, FromOthers):
        return derived(table, extremal.found, about, names)
    try:
        return _Reader(table, about, names, items, may_go_on).read_from(
            extremal.found.reads(table, *about.dimensions), position
        )
    except MalformedRecordError:
        return None


def contributed(item: Item, about: AggregateId) -> Observations:
    """What a stored item contributes to one aggregate; raises MalformedRecordError if it can't be understood."""
    try:
        with sorted_out():
            return contributions(item, about)
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison


class _Reader:
    """Reads the sources of some cells, while items are left to read and `may_go_on` is true."""

    def __init__(
        self, table: Table, aggregate_id: AggregateId, names: Set[str], items: int, may_go_on: MayGoOn
    ) -> None:
        self._table, self._id, self._names = table, aggregate_id, names
        self._left, self._may_go_on = items, may_go_on
        self._found: dict[str, Extremes] = {}
        self._sources: dict[str, dict[str, Decimal | None]] = {name: {} for name in names}

    def read_from(self, reads: Iterable[Read], position: Position) -> Progress:
        """What these reads find from the position on; raises MalformedRecordError."""
        after = position.after
        for number, read in enumerate(reads):
            if number >= position.query:
                stopped = self._read(read, {name for name in self._names if name.startswith(read.of)}, after)
                if stopped is not None:
                    return Progress(self._found, Position(number, stopped), sources=self._sources)
                after = ""
        return Progress(self._found, sources=self._sources)

    def _read(self, read: Read, names: set[str], after: str) -> str | None:
        """Run one query to its end (None), or until it must stop: returns the sort key after which to go on."""
        while names:
            if self._left <= 0 or not self._may_go_on():
                return after
            page = self._table.query(_resumed(read.query, after, min(read.page, self._left)))
            self._left -= max(1, len(page.items))
            for item in page.items:
                seen = self._widen(item, names)
                names -= seen if read.first else set()
            if page.next is None:
                break
            after = page.next["SK"]
        return None

    def _widen(self, item: Item, names: set[str]) -> set[str]:
        """Add what an item contributes to these cells; returns the cells to which it contributes."""
        fed = contributed(item, self._id)
        for name in names & fed.keys():
            self._found.setdefault(name, Extremes()).widen(fed[name])
            if not plain(fed[name]):
                self._sources.pop(name, None)
            elif name in self._sources:
                self._sources[name][source(item)] = fed[name].value
        return names & fed.keys()


def _resumed(query: Query, after: str, limit: int) -> Query:
    position = {"PK": query.partition, "SK": after} if after else None
    return replace(query, consistent=True).part(limit, position)
