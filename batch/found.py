"""What an export says of each aggregate: from which sources, from what is stored below it, and what it stores itself.

One pass over the export finds all of it. What is found of one key in several parts of the export is merged.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from batch.derived import NOTHING, Derived
from batch.derived import merged as merged_derived
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.effects import Contributions
from edgewise.aggregates.keys import CARRIER, CONTINUED, AggregateId, Dimension
from edgewise.aggregates.measures import EXACT, Cell, Delta, joined
from edgewise.aggregates.open_hours.declaration import waiting
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream.quarantine import is_set_aside

Cells = dict[str, Cell]
# Why the numbers of an aggregate can't be compared: its sources were changing, or a change of them is in quarantine.
UNSETTLED, QUARANTINED = "unsettled", "quarantined"
# A source of the aggregate changed before the instant of the export; it was written itself.
FED, WRITTEN = "fed", "written"


ALL_SOURCES = Key("", "")


class Name(NamedTuple):
    """The name of an aggregate as it travels between processes, which an AggregateId with its declaration can't."""

    kind: str
    dimensions: tuple[Dimension, ...]

    def of(self, catalog: Catalog) -> AggregateId:
        """The aggregate of this name."""
        return catalog.kinds[self.kind](*self.dimensions)


def named(about: AggregateId) -> Name:
    """The name of an aggregate, whichever of its items is meant."""
    return Name(about.kind.name, about.dimensions)


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for one key.

    `first`: its cells from sources that people write, `stored`: its cells from the aggregates stored one rank below,
    `counted`: those from these aggregates as they should be. `items`: its own item and continuations. `opened`: what
    waits for it in an open part; `closing`: the number of the last closing that is kept for its readers. `marks`: why
    its numbers can't be compared.

    Of other items: `unreadable`: why the item with this key can't be understood, and `of_type`: its type, if it has
    one; `set_aside`: it is a part of a record in quarantine. `sources`: how many items feed aggregates and are none
    themselves, and `expiring` the types of those that have a time to live; both are found under one key for all.
    `derived`: what is derived from other items, or says so.
    """

    name: Name | None = None
    first: Cells = field(default_factory=dict)
    stored: Cells = field(default_factory=dict)
    counted: Cells = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    opened: Mapping[str, Delta] = field(default_factory=dict)
    closing: int = 0
    marks: frozenset[str] = frozenset()
    unreadable: str = ""
    of_type: str = ""
    set_aside: Item | None = None
    sources: int = 0
    derived: Derived = NOTHING
    expiring: frozenset[str] = frozenset()

    @property
    def from_sources(self) -> Cells:
        """The cells that count anything by the sources, counted all the way up."""
        return _counting(added(self.first, self.counted))

    @property
    def from_below(self) -> Cells:
        """The cells that count anything by what is stored one rank below."""
        return _counting(added(self.first, self.stored))


def merged(one: Found, other: Found) -> Found:
    """What was found of one key in two places."""
    return Found(
        one.name or other.name,
        added(one.first, other.first),
        added(one.stored, other.stored),
        added(one.counted, other.counted),
        one.items + other.items,
        {**one.opened, **other.opened},
        max(one.closing, other.closing),
        one.marks | other.marks,
        one.unreadable or other.unreadable,
        one.of_type or other.of_type,
        one.set_aside or other.set_aside,
        one.sources + other.sources,
        merged_derived(one.derived, other.derived),
        one.expiring | other.expiring,
    )


def added(one: Cells, other: Cells) -> Cells:
    """The cells of both together."""
    if not (one and other):
        return one or other
    both = dict(one)
    for name, cell in other.items():
        both[name] = _sum(both[name], cell) if name in both else cell
    return both


def in_items(catalog: Catalog, items: Iterable[Item]) -> Iterator[tuple[Key, Found]]:
    """What some items say of the aggregates that they feed, and of those that they are."""
    first, stored, sources, expiring = dict[AggregateId, Cells](), dict[AggregateId, Cells](), 0, set[str]()
    for item in items:
        try:
            with sorted_out():
                contributions, is_aggregate = _feeding(catalog, item), "Seqs" in item
                sources += bool(contributions and not is_aggregate)
                if contributions and TTL_ATTRIBUTE in item:
                    expiring.add(string(item["Type"]))
                _observe(stored if is_aggregate else first, contributions)
                yield from _of_itself(catalog, item)
        except PoisonError as poison:
            yield key_of(item), Found(unreadable=poison.reason, of_type=item.get("Type", {}).get("S", ""))
    for about, cells in first.items():
        yield keys.of(about), Found(named(about), first=cells)
    for about, cells in stored.items():
        yield keys.of(about), Found(named(about), stored=cells)
    yield ALL_SOURCES, Found(sources=sources, expiring=frozenset(expiring))


def in_counted(catalog: Catalog, rank: int, rows: Iterable[tuple[Key, Found]]) -> Iterator[tuple[Key, Found]]:
    """What the aggregates of a rank, as they should be by their sources, say of those that they feed."""
    fed = dict[AggregateId, Cells]()
    for _, row in rows:
        assert row.name
        about, cells = row.name.of(catalog), row.from_sources
        if about.kind.rank == rank and cells:
            _observe(fed, _feeding(catalog, aggregate_item(Aggregate(about, version=1, cells=cells))))
    for about, cells in fed.items():
        yield keys.of(about), Found(named(about), counted=cells)


def feeding(catalog: Catalog, rows: Iterable[tuple[Key, Found]]) -> Iterator[tuple[Key, Found]]:
    """What sources say of the aggregates that feed others."""
    for key, row in rows:
        if row.name and row.name.kind in catalog.feeds and row.name.kind not in catalog.senders:
            yield key, Found(row.name, first=row.first, counted=row.counted)


def _of_itself(catalog: Catalog, item: Item) -> Iterator[tuple[Key, Found]]:
    """An item that belongs to an aggregate, under the aggregate's key; and what waits in it for other aggregates."""
    of_type = string(item["Type"])
    if is_set_aside(item):
        yield key_of(item), Found(set_aside=item)
    if is_aggregates(item):
        yield head(item), Found(items=(item,))
    if is_aggregates(item) and of_type in catalog.senders:
        for about, each in waiting(catalog.aggregate_of(item), item).items():
            yield keys.of(about), Found(named(about), opened=each.opened, closing=each.closed)


def is_aggregates(item: Item) -> bool:
    """Whether an item is an aggregate, or a continuation of one."""
    return "Seqs" in item and string(item["Type"]) != CARRIER


def head(item: Item) -> Key:
    """The key of the aggregate that an item is, or continues."""
    key = key_of(item)
    return keys.continued(key)[0] if string(item["Type"]) == CONTINUED else key


def _feeding(catalog: Catalog, item: Item) -> Contributions:
    """What an item feeds by what it says now.

    Closings say what their readers have been told already; so do carriers.
    """
    of_type = string(item["Type"])
    if of_type not in catalog.source_types or of_type in catalog.senders:
        return {}
    return catalog.contributions_of(item)


def _observe(cells: dict[AggregateId, Cells], contributions: Contributions) -> None:
    for about, observations in contributions.items():
        of_it = cells.setdefault(about, {})
        for name, observation in observations.items():
            of_it.setdefault(name, Cell()).add(observation)


def _sum(one: Cell, other: Cell) -> Cell:
    return Cell(one.count + other.count, EXACT.add(one.total, other.total), joined(one.extremes, other.extremes))


def _counting(cells: Cells) -> Cells:
    return {name: cell for name, cell in cells.items() if cell.counts}


def ranks(catalog: Catalog) -> Sequence[int]:
    """The ranks of aggregates that feed others, the lowest first."""
    return sorted({kind.rank for kind in catalog.kinds.values() if kind.name in catalog.feeds and not kind.open_hours})
