"""A node's collection read in one query: its summary, then its edges, each with its numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

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
from functions.store.unknowns import unknown

T = TypeVar("T")


@dataclass(frozen=True)
class Member:
    """A summary or an edge: its kind, the node it points at (nothing for a summary), its cells; `full`: not all."""

    kind: str
    target: tuple[str, ...]
    cells: Mapping[str, Cell]
    full: bool


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Member], Position | None]:
    """One page of a node's edges, and its summary if it is on this page; edges that stand for nothing are left out."""
    found, position = pages.listed(table, query, limit, after, _member, _is_listed, beside=1)
    return [member for member in found if member.cells], position


def collection(
    table: Table, query: Query, limit: int, after: Position | None, decode: Callable[[Item], T]
) -> tuple[list[Member], list[T], Position | None]:
    """One page of a node's edges and of its items that `decode` understands, and its summary, as above."""
    found, position = pages.listed(table, query, limit, after, _either(decode), _is_listed, beside=1)
    return *_apart(found), position


def whole(table: Table, query: Query, decode: Callable[[Item], T]) -> tuple[list[Member], list[T]]:
    """The same of a node that has but a few of them."""
    return _apart(each(table, _either(decode), table.query(query).items))


def _either(decode: Callable[[Item], T]) -> Callable[[Item], Member | T]:
    def either(item: Item) -> Member | T:
        return _member(item) if string(item["SK"]).startswith(keys.nodes.EDGES) else decode(item)

    return either


def _apart(found: Sequence[Member | T]) -> tuple[list[Member], list[T]]:
    members = [entry for entry in found if isinstance(entry, Member) and entry.cells]
    return members, [entry for entry in found if not isinstance(entry, Member)]


def _is_listed(entry: object) -> bool:
    """A summary stands beside a list; what stands for nothing any more is not to be seen."""
    return not isinstance(entry, Member) or bool(entry.target and entry.cells)


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
    known = name not in unknown(item)  # while they are being recounted, nobody knows them
    if name and known and (name in found or (target and found)) and found[name].extremes.first is None:
        raise TypeError(f"not a cell of instants: {name}")
    return Member(kind, target, found, is_full(item))


def sources(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[str], Position | None]:
    """One page of the names of the nodes whose edges point at a target (index by target), and where to go on."""
    return pages.listed(table, query, limit, after, _source)


def _source(entry: Item) -> str:
    return keys.nodes.name(string(entry["PK"]))
