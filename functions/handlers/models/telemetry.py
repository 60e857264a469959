"""Requests and responses of the telemetry routes."""

from typing import Annotated, Any

from pydantic import BaseModel, Field, WithJsonSchema

from functions.handlers.models.common import Accepted, Counted, Exact, Listed
from functions.handlers.models.fields import Id, Instant, MetricName, Number, PlacePath, Request, ShortId

MAX_EVENTS, MAX_METRICS = 500, 100


class EventIn(Request):
    """One reading of a device."""

    device_id: Id
    at: Instant
    event_id: ShortId | None = None
    place: PlacePath | None = None
    metrics: Annotated[dict[MetricName, Number], Field(max_length=MAX_METRICS)]


class TelemetryIn(Request):
    """Up to 500 events. Each is judged by itself: a wrong one does not hold up its neighbours."""

    events: Annotated[
        list[Any],
        Field(min_length=1, max_length=MAX_EVENTS),
        WithJsonSchema({"type": "array", "minItems": 1, "maxItems": MAX_EVENTS, "items": EventIn.model_json_schema()}),
    ]


class TelemetryOut(Accepted):
    """How many events are stored, and what was wrong with the others."""


class EventOut(BaseModel):
    """One stored reading."""

    event_id: str
    at: str
    place: list[str] | None
    metrics: dict[str, Exact]


class EventsOut(Listed):
    """One page of a device's readings."""

    events: list[EventOut]
    cursor: str | None


class RollupOut(BaseModel):
    """One metric over one hour or day."""

    start: str
    count: int
    sum: Exact
    mean: float
    min: Exact
    max: Exact
    first: Exact
    last: Exact


class RollupsOut(Counted, Listed):
    """One page of a metric's rollups."""

    device: str
    metric: str
    grain: str
    rollups: list[RollupOut]
    cursor: str | None


class DeviceSummary(BaseModel):
    """A device's numbers over all places."""

    events: int
    places: int
    first: str
    last: str


class DevicePlace(BaseModel):
    """A place that a device reported from."""

    place: list[str]
    events: int
    first: str
    last: str


class DeviceOut(Counted, Listed):
    """A device; the summary stands on the first page only."""

    device: str
    summary: DeviceSummary | None
    places: list[DevicePlace]
    cursor: str | None
