"""An entity's collection read in one query: its summary, then its edges, each with its numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Never, TypeVar

from edgewise.aggregates import keys
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.recounts.attributes import unknown
from edgewise.aggregates.stored import cells
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.decoding import each
from edgewise.dynamodb.queries import Position, Query
from edgewise.dynamodb.table import Table

T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """A summary or an edge: its kind, the entity it points at (empty for a summary), its cells, and its item."""

    kind: Kind
    target: tuple[str, ...]
    cells: Mapping[str, Cell]
    item: Item

    def count(self, cell: str) -> int:
        """The count of a cell; 0 if there is no such cell."""
        return self.cells.get(cell, Cell()).count


def collection(
    table: Table,
    kinds: Sequence[Kind],
    query: Query,
    limit: int,
    after: Position | None,
    decode: Callable[[Item], T],
) -> tuple[list[Member], list[T], Position | None]:
    """One page of an entity's collection: its summary if it is on this page, its edges, and the items for `decode`.

    `kinds` are the kinds that the summary and the edges may have. Edges that count nothing are left out.
    """
    found, position = pages.listed(table, query, limit, after, _either(kinds, decode), _is_listed, beside=1)
    return *_apart(found), position


def whole(
    table: Table, kinds: Sequence[Kind], query: Query, decode: Callable[[Item], T]
) -> tuple[list[Member], list[T]]:
    """The whole collection of an entity that has few edges and items, in one request."""
    return _apart(each(table, _either(kinds, decode), table.query(query).items))


def _either(kinds: Sequence[Kind], decode: Callable[[Item], T]) -> Callable[[Item], Member | T]:
    def either(item: Item) -> Member | T:
        return _member(kinds, item) if string(item["SK"]).startswith(keys.EDGES) else decode(item)

    return either


def _apart(found: Sequence[Member | T]) -> tuple[list[Member], list[T]]:
    members = [entry for entry in found if isinstance(entry, Member) and entry.cells]
    return members, [entry for entry in found if not isinstance(entry, Member)]


def _is_listed(entry: object) -> bool:
    """A summary is not an entry of the list, and an edge that counts nothing any more is not shown."""
    return not isinstance(entry, Member) or bool(entry.target and entry.cells)


def _member(kinds: Sequence[Kind], item: Item) -> Member:
    name, sk = string(item["Type"]), string(item["SK"])
    target = () if sk == keys.SUMMARY else keys.edge_target(sk)
    found = cells(item)
    kind = next((kind for kind in kinds if kind.name == name), None)
    if kind is None:
        raise ValueError(f"no {name} belongs here")
    declared = kind.span
    span = declared.cell if declared else None
    # The summary of a device that has no events any more may still exist for a moment.
    known = span not in unknown(item)  # the extremes are unknown while they are being recounted
    if span and known and (span in found or (target and found)) and found[span].extremes.first is None:
        raise TypeError(f"not a cell of instants: {span}")
    return Member(kind, target, found, item)


def no_other(item: Item) -> Never:
    """The `decode` of collections that hold only a summary and edges: it raises ValueError for any other item."""
    raise ValueError(f"no {string(item['Type'])} belongs here")


def source(entry: Item) -> str:
    """The name of the entity whose edge or summary this is, from its entry in an index."""
    return keys.entity_name(string(entry["PK"]))
