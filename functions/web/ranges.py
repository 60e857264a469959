"""One form of ranges: `from` (this or later) and `to` (before this), each optional."""

from typing import Annotated, Any, TypeVar

from aws_lambda_powertools.event_handler.openapi.params import Query

from edgewise import FieldError, InvalidInputError, Millis, millis, rfc_3339
from edgewise.times import DAY, HOUR
from functions.web.fields import QueryInstant

T = TypeVar("T", bound=Any)

From = Annotated[QueryInstant | None, Query(alias="from", description="this instant or later")]
To = Annotated[QueryInstant | None, Query(alias="to", description="before this instant")]
# The buckets that a route may count in, all of UTC.
GRAINS = {"hour": HOUR, "day": DAY}
_A = {"hour": "an hour", "day": "a day"}


def bounds(start: From, end: To, grain: str | None = None) -> tuple[Millis | None, Millis | None]:
    """Both instants cut to milliseconds, as stored ones are.

    Raises InvalidInputError if nothing lies between them, or if they cut a bucket of the grain in two: what it counts
    is known of the whole bucket alone.
    """
    first, last = half_open(None if start is None else millis(start), None if end is None else millis(end))
    if grain is not None:
        ends = (("from", first), ("to", last))
        faults = [_cut(field, at, grain) for field, at in ends if at is not None and at % GRAINS[grain]]
        if faults:
            raise InvalidInputError(faults)
    return first, last


def half_open(start: T | None, end: T | None) -> tuple[T | None, T | None]:
    """Both bounds as they are; raises InvalidInputError if nothing lies between them."""
    if start is not None and end is not None and start >= end:
        raise InvalidInputError.of("to", "must be later than from")
    return start, end


def _cut(field: str, at: Millis, grain: str) -> FieldError:
    """The error of a bound that lies within a bucket, with the whole one before it."""
    begin = rfc_3339(at - at % GRAINS[grain])
    return FieldError(field, f"must begin {_A[grain]} of UTC, by which readings are counted, such as {begin}")
