"""Requests and responses of the telemetry routes."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from edgewise import InvalidInputError
from functions.systems.telemetry.entity import AHEAD, AttributeValue
from functions.web.common import Accepted, Counted, Exact, Listed, Rejection
from functions.web.fields import (
    MEASURE_SCHEMA,
    Ahead,
    Id,
    Instant,
    MetricName,
    PlacePath,
    Request,
    ShortId,
    ShortLine,
    measure,
    prose,
)

MAX_EVENTS, MAX_METRICS = 500, 100  # a closing has room for a correction of so many (edgewise/aggregates/open_hours)
CONTENT = ("metrics", "attributes")  # an event has at least one of them, which may be empty
MAX_ATTRIBUTES, MAX_TEXT, MAX_ATTRIBUTE_BYTES = 50, 2000, 8192


def attribute(value: Any) -> AttributeValue:
    """The value of an attribute; raises ValueError."""
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise ValueError(f"must not be longer than {MAX_TEXT} characters")
        return prose(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float | Decimal):
        return measure(value)
    raise ValueError("must be text, a number or a boolean")


def check_fit(attributes: Mapping[str, AttributeValue]) -> None:
    """Raise InvalidInputError if attributes are too long in all."""
    texts = (text for name, value in attributes.items() for text in (name, str(value)))
    if sum(len(text.encode()) for text in texts) > MAX_ATTRIBUTE_BYTES:
        why = f"must not be longer than {MAX_ATTRIBUTE_BYTES} bytes in total, names and values in UTF-8"
        raise InvalidInputError.of("attributes", why)


_NOT_NUMBERS = [{"type": "string", "maxLength": MAX_TEXT}, {"type": "boolean"}]
# Each value is read for itself: an event is stored without those that can't be read.
MetricIn = Annotated[Any, WithJsonSchema({"anyOf": [MEASURE_SCHEMA, {"type": "null"}]})]
AttributeIn = Annotated[Any, WithJsonSchema({"anyOf": [MEASURE_SCHEMA, *_NOT_NUMBERS, {"type": "null"}]})]
AttributeOut = Annotated[str | bool | Decimal, WithJsonSchema({"anyOf": [{"type": "number"}, *_NOT_NUMBERS]})]


class EventIn(Request):
    """One event of a device: measured numbers, attributes of text, numbers and booleans, or both.

    What is null was not measured. Attributes are returned as they were sent (numbers by value). No aggregate uses them.
    """

    model_config = ConfigDict(json_schema_extra={"anyOf": [{"required": [name]} for name in CONTENT]})

    device_id: Id
    at: Annotated[Instant, Ahead(AHEAD)]
    event_id: ShortId | None = None
    place: PlacePath | None = None
    metrics: Annotated[dict[MetricName, MetricIn], Field(max_length=MAX_METRICS, default_factory=dict)]
    attributes: Annotated[
        dict[ShortLine, AttributeIn],
        Field(
            max_length=MAX_ATTRIBUTES,
            default_factory=dict,
            description=f"at most {MAX_ATTRIBUTE_BYTES} bytes in total, names and values",
        ),
    ]


class TelemetryIn(Request):
    """Up to 500 events. Each is validated separately: an invalid one does not prevent the others from being stored."""

    events: Annotated[
        list[Any],
        Field(min_length=1, max_length=MAX_EVENTS),
        WithJsonSchema({"type": "array", "minItems": 1, "maxItems": MAX_EVENTS, "items": EventIn.model_json_schema()}),
    ]


class TelemetryOut(Accepted):
    """How many events are stored, and why the others were rejected.

    `corrected`: how many of them have replaced what was stored, if any. `without`: the values that could not be read,
    if any, of events that are stored without them.
    """

    corrected: Annotated[int, Field(ge=1)] | None = None
    without: Annotated[list[Rejection], Field(min_length=1)] | None = None


class EventOut(BaseModel):
    """One stored event."""

    event_id: str
    at: str
    place: list[str] | None
    metrics: dict[str, Exact]
    attributes: dict[str, AttributeOut]


class EventsOut(Listed):
    """One page of a device's readings."""

    events: list[EventOut]
    cursor: str | None


class RollupOut(BaseModel):
    """One metric over one hour or day; the last four are null while they are being recounted."""

    start: str
    count: int
    sum: Exact
    mean: Exact
    min: Exact | None
    max: Exact | None
    first: Exact | None
    last: Exact | None
    recounting: bool


class RollupsOut(Counted, Listed):
    """One page of a metric's rollups."""

    device: str
    metric: str
    grain: str
    rollups: list[RollupOut]
    cursor: str | None


class DevicesOut(Listed):
    """One page of the ids of devices."""

    devices: list[str]
    cursor: str | None


class DeviceSummary(BaseModel):
    """A device's numbers over all places; `first` and `last` are null while they are being recounted."""

    events: int
    places: int
    first: str | None
    last: str | None
    recounting: bool


class DevicePlace(BaseModel):
    """A place that a device reported from; `first` and `last` are null while they are being recounted."""

    place: list[str]
    events: int
    first: str | None
    last: str | None
    recounting: bool


class DeviceOut(Counted, Listed):
    """A device; only the first page has the summary."""

    device: str
    summary: DeviceSummary | None
    places: list[DevicePlace]
    cursor: str | None
