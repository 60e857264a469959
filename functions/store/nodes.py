"""A node's collection read in one query: its summary, then its edges, each with its numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from functions.domain.aggregates import AggregateId
from functions.domain.catalog import KINDS
from functions.domain.declarations import COUNT
from functions.domain.measures import Cell
from functions.store import keys, pages
from functions.store.aggregate_items import cells, is_full
from functions.store.attributes import Item, string
from functions.store.decoding import each
from functions.store.queries import Position, Query
from functions.store.table import Table


@dataclass(frozen=True)
class Member:
    """A summary or an edge: its kind, the node it points at (nothing for a summary), its cells; `full`: not all."""

    kind: str
    target: tuple[str, ...]
    cells: Mapping[str, Cell]
    full: bool


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Member], Position | None]:
    """One page of a node's summary and edges; those that stand for nothing any more are left out."""
    found, position = pages.listed(table, query, limit, after, _member)
    return [member for member in found if member.cells], position


def collection(
    table: Table, query: Query, limit: int | None = None, after: Position | None = None
) -> tuple[list[Member], list[Item], Position | None]:
    """One page of a node's summary and edges, as above, and of the items of the node that are neither."""
    found = pages.read(table, query, limit, after)
    numbers, others = _apart(found.items)
    return [member for member in each(table, _member, numbers) if member.cells], others, found.next


def _apart(items: Iterable[Item]) -> tuple[list[Item], list[Item]]:
    """A node's summary and edges, and what is neither."""
    both: tuple[list[Item], list[Item]] = ([], [])
    for item in items:
        both[not string(item["SK"]).startswith(keys.nodes.EDGES)].append(item)
    return both


# The cell of each kind whose first and last instants are told.
_SPANNED = {"DEVICE": "Events", "REPORTED_FROM": COUNT, "POSTED_IN": COUNT, "PLAYED": COUNT}


def _member(item: Item) -> Member:
    kind, sk = string(item["Type"]), string(item["SK"])
    target = () if sk == keys.nodes.NODE_SUMMARY else keys.nodes.edge_target(sk)
    found = cells(AggregateId(kind, ()), item)
    if kind not in KINDS:
        raise ValueError(f"no aggregate is called {kind}")
    name = _SPANNED.get(kind)
    # The summary of a device that has no events any more may still be there for a moment.
    if name and (name in found or (target and found)) and found[name].extremes.first is None:
        raise TypeError(f"not a cell of instants: {name}")
    return Member(kind, target, found, is_full(item))


def sources(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[str], Position | None]:
    """One page of the names of the nodes whose edges point at a target (index by target), and where to go on."""
    return pages.listed(table, query, limit, after, _source)


def _source(entry: Item) -> str:
    return keys.nodes.name(string(entry["PK"]))
