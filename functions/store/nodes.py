"""A node's collection read in one query: its summary, then its edges, each with its numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from functions.domain.aggregates import AggregateId
from functions.domain.measures import Cell
from functions.store import keys
from functions.store.aggregate_items import cells
from functions.store.attributes import Item, string
from functions.store.queries import Position, Query
from functions.store.table import Table


@dataclass(frozen=True)
class Member:
    """A summary or an edge: its kind, the node it points at (nothing for a summary), its cells."""

    kind: str
    target: tuple[str, ...]
    cells: Mapping[str, Cell]


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Member], Position | None]:
    """One page of a node's summary and edges; those that stand for nothing any more are left out."""
    found = table.query(replace(query, limit=limit, after=after))
    return _members(found.items), found.next


def collection(
    table: Table, query: Query, limit: int | None = None, after: Position | None = None
) -> tuple[list[Member], list[Item], Position | None]:
    """One page of a node's summary and edges, as above, and of the items of the node that are neither."""
    found = table.query(replace(query, limit=limit, after=after))
    others = [item for item in found.items if not string(item["SK"]).startswith(keys.nodes.EDGES)]
    return _members(found.items), others, found.next


def _members(items: Iterable[Item]) -> list[Member]:
    members = []
    for item in items:
        kind, sk = string(item["Type"]), string(item["SK"])
        if found := cells(AggregateId(kind, ()), item):
            target = () if sk == keys.nodes.NODE_SUMMARY else keys.nodes.edge_target(sk)
            members.append(Member(kind, target, found))
    return members


def sources(
    table: Table, query: Query, limit: int, after: Position | None
) -> tuple[list[tuple[str, ...]], Position | None]:
    """One page of the nodes whose edges point at a target, from the index by target, and where to go on."""
    found = table.query(replace(query, limit=limit, after=after))
    return [keys.nodes.node(string(item["PK"])) for item in found.items], found.next
