"""Counts every aggregate from source items, rank by rank, by the declarations that the stream's consumer uses."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from functions.aggregates.aggregate import Aggregate
from functions.aggregates.catalog import Catalog
from functions.aggregates.effects import Contributions
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell
from functions.aggregates.stored import aggregate_item
from functions.dynamodb.attributes import Item, key_of
from functions.dynamodb.keys import Key
from functions.failures import PoisonError, sorted_out

Cells = dict[str, Cell]


@dataclass
class Counted:
    """The cells of all aggregates, and the sources that could not be understood, each with the reason."""

    cells: dict[AggregateId, Cells] = field(default_factory=dict)
    unreadable: dict[Key, str] = field(default_factory=dict)

    def add(self, catalog: Catalog, item: Item) -> None:
        """Count what an item contributes to all aggregates that it feeds."""
        try:
            with sorted_out():
                self._add(catalog.contributions_of(item))
        except PoisonError as poison:
            self.unreadable[key_of(item)] = poison.reason

    def _add(self, contributions: Contributions) -> None:
        for about, observations in contributions.items():
            cells = self.cells.setdefault(about, {})
            for name, observation in observations.items():
                cells.setdefault(name, Cell()).add(observation)

    def counting(self, about: AggregateId) -> Cells:
        """The cells of an aggregate that count anything."""
        return {name: cell for name, cell in self.cells.get(about, {}).items() if cell.counts}


def from_sources(catalog: Catalog, items: Iterable[Item]) -> Counted:
    """Every aggregate from the source items alone: what is counted for one rank feeds the next."""
    found = Counted()
    for item in items:
        if _feeds(catalog, item) and item["Type"]["S"] not in catalog.kinds:
            found.add(catalog, item)
    for rank in sorted({kind.rank for kind in catalog.kinds.values()}):
        feeding = [about for about in found.cells if about.kind.rank == rank and about.kind.name in catalog.feeds]
        for about in feeding:
            if cells := found.counting(about):
                found.add(catalog, aggregate_item(Aggregate(about, version=1, cells=cells)))
    return found


def from_stored(catalog: Catalog, items: Iterable[Item]) -> Counted:
    """Every aggregate from what is stored one rank below: one that is wrong spoils only those that it feeds."""
    found = Counted()
    for item in items:
        if _feeds(catalog, item):
            found.add(catalog, item)
    return found


def _feeds(catalog: Catalog, item: Item) -> bool:
    """Whether an item feeds aggregates by what it says now; closings say what has come to their readers already."""
    of = item["Type"]["S"]
    return of in catalog.source_types and not catalog.is_open(of)
