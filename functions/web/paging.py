"""What all lists share: limit, order, cursor."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler.openapi.params import Query

from functions.aggregates.measures import Cell
from functions.dynamodb.queries import Position
from functions.times import rfc_3339
from functions.web import runtime

DEFAULT_LIMIT, MAX_LIMIT = 100, 1000

Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="how many of what is listed; a summary is not counted")]
Order = Annotated[Literal["asc", "desc"], Query(description="oldest or newest first")]
CursorText = Annotated[str | None, Query(description="where to go on, from the page before")]


@dataclass(frozen=True)
class Paging:
    """The place of one request in its list. `query` is everything that makes it this list and no other."""

    query: Mapping[str, object]
    cursor: str | None

    @property
    def after(self) -> Position | None:
        """Where to go on; raises InvalidInputError for a cursor of another list."""
        return runtime.cursors().decode(self.query, self.cursor)

    def next(self, position: Position | None) -> str | None:
        """The cursor of the next page."""
        return runtime.cursors().encode(self.query, position)


def span(cell: Cell) -> dict[str, Any]:
    """The first and last instant of a cell that has both, as members of an answer; while recounted it has neither."""
    first, last = cell.extremes.first, cell.extremes.last
    if first is None or last is None:
        return {"first": None, "last": None, "recounting": True}
    return {"first": rfc_3339(first.at), "last": rfc_3339(last.at), "recounting": False}
