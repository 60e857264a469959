"""One form of ranges: `from` (this or later) and `to` (before this), each optional."""

from typing import Annotated, Any, TypeVar

from aws_lambda_powertools.event_handler.openapi.params import Query

from edgewise import InvalidInputError, Millis, millis
from functions.web.fields import QueryInstant

T = TypeVar("T", bound=Any)

From = Annotated[QueryInstant | None, Query(alias="from", description="this instant or later")]
To = Annotated[QueryInstant | None, Query(alias="to", description="before this instant")]


def bounds(start: From, end: To) -> tuple[Millis | None, Millis | None]:
    """Both instants cut to milliseconds, as stored ones are; raises InvalidInputError if nothing lies between them."""
    return half_open(None if start is None else millis(start), None if end is None else millis(end))


def half_open(start: T | None, end: T | None) -> tuple[T | None, T | None]:
    """Both bounds as they are; raises InvalidInputError if nothing lies between them."""
    if start is not None and end is not None and start >= end:
        raise InvalidInputError.of("to", "must be later than from")
    return start, end
