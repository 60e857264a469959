"""The parameters that all lists share: limit, order, cursor."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, Never, TypeVar

from aws_lambda_powertools.event_handler.openapi.params import Query

from edgewise import Cell, Item, Kind, Member, Partitions, Position, rfc_3339
from edgewise.aggregates import collections
from edgewise.dynamodb import pages, queries
from functions import directory
from functions.web import runtime
from functions.web.fields import Id

T = TypeVar("T")

DEFAULT_LIMIT, MAX_LIMIT = 100, 1000

Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="the maximum number of entries; a summary is not counted")]
Order = Annotated[Literal["asc", "desc"], Query(description="oldest or newest first")]
Beginning = Annotated[Id | None, Query(description="only ids that begin with this text")]
CursorText = Annotated[str | None, Query(description="the `cursor` of the page before, with the same parameters")]


@dataclass(frozen=True)
class Paging:
    """The position of one request in its list. `query` holds all values that identify the list."""

    query: Mapping[str, object]
    cursor: str | None

    @classmethod
    def of(cls, query: queries.Query, cursor: str | None) -> "Paging":
        """The position of a request in a list that one query reads: the query itself identifies the list."""
        return cls(query.request(), cursor)

    @property
    def after(self) -> Position | None:
        """The position after which to continue; raises InvalidInputError for a cursor of another list."""
        return runtime.cursors().decode(self.query, self.cursor)

    def next(self, position: Position | None) -> str | None:
        """The cursor of the next page."""
        return runtime.cursors().encode(self.query, position)


@dataclass(frozen=True)
class CollectionPage(Generic[T]):
    """One page of an entity's item collection: its summary (first page only), its edges, its other items.

    `cursor` is the cursor of the next page, or None if nothing follows.
    """

    summary: Member | None
    edges: Sequence[Member]
    items: Sequence[T]
    cursor: str | None

    @property
    def is_empty(self) -> bool:
        """Whether this page has no entries."""
        return not (self.summary or self.edges or self.items)


def items_page(
    query: queries.Query, limit: int, cursor: str | None, decode: Callable[[Item], T | None]
) -> tuple[list[T], str | None]:
    """One page of a query's decoded items, and the cursor of the next page, or None if nothing follows.

    What is decoded to None, as a tombstone of what was taken back, is no entry, and does not count towards the limit.
    Raises InvalidInputError for a cursor of another list.
    """
    paging = Paging.of(query, cursor)
    found, position = pages.listed(runtime.table(), query, limit, paging.after, decode, lambda each: each is not None)
    return [each for each in found if each is not None], paging.next(position)


def directory_page(
    of: Partitions, beginning: str | None, limit: int, cursor: str | None
) -> tuple[list[str], str | None]:
    """One page of the ids in a directory, and the cursor of the next page."""
    return items_page(directory.entries(of, beginning), limit, cursor, collections.source)


def edges_page(kinds: Sequence[Kind], query: queries.Query, limit: int, cursor: str | None) -> CollectionPage[Never]:
    """One page of an item collection that holds a summary and edges, and nothing else."""
    return collection_page(kinds, query, limit, cursor, collections.no_other)


def collection_page(
    kinds: Sequence[Kind], query: queries.Query, limit: int, cursor: str | None, decode: Callable[[Item], T]
) -> CollectionPage[T]:
    """Read one page, usually in one query; `kinds` are those of its summary and edges, `decode` is for its other items.

    Raises InvalidInputError for a cursor of another list.
    """
    paging = Paging.of(query, cursor)
    members, items, position = collections.collection(runtime.table(), kinds, query, limit, paging.after, decode)
    summary = next((member for member in members if not member.target), None)
    edges = [member for member in members if member.target]
    return CollectionPage(summary, edges, items, paging.next(position))


def span(cell: Cell) -> dict[str, Any]:
    """The first and last instant of a cell, as members of a response; both are null while they are being recounted."""
    first, last = cell.extremes.first, cell.extremes.last
    if first is None or last is None:
        return {"first": None, "last": None, "recounting": True}
    return {"first": rfc_3339(first.at), "last": rfc_3339(last.at), "recounting": False}
