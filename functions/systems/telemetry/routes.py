"""Telemetry: devices send readings by HTTP or through a queue; users read them and their aggregates."""

from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Cell, Member, Millis, NotFoundError, clock, millis, rfc_3339
from edgewise.times import EARLIEST, LATEST
from functions import withdrawing
from functions.place import Place
from functions.systems.telemetry import devices, ingest, keys, patterns, rollups
from functions.systems.telemetry.entity import GRAINS, Reading, Sender
from functions.systems.telemetry.models import (
    DeviceOut,
    DevicePlace,
    DevicesOut,
    DeviceSummary,
    EventOut,
    EventsOut,
    RollupOut,
    RollupsOut,
    TelemetryIn,
    TelemetryOut,
)
from functions.systems.telemetry.system import (
    DEVICE,
    DEVICE_CHANGES,
    EVENT,
    EVENT_CHANGES,
    REPORTED_FROM,
    ROLLUP_CHANGES,
    ROLLUP_DAY,
    ROLLUP_HOUR,
    SYSTEM,
)
from functions.web import answers, charges, http, runtime
from functions.web.fields import AnyMetric, PathId, QueryInstant, SpelledShortId
from functions.web.paging import (
    DEFAULT_LIMIT,
    Beginning,
    CursorText,
    Limit,
    Order,
    Paging,
    directory_page,
    edges_page,
    items_page,
    span,
)
from functions.web.ranges import From, To, bounds

app = http.resolver(SYSTEM)


@http.route(
    app,
    "POST /telemetry",
    "Store events; a repeated event changes nothing, one with different content is a correction by its first sender",
    responses=answers.described(TelemetryOut, HTTPStatus.ACCEPTED),
    status_code=HTTPStatus.ACCEPTED,
    group="ingest",
)
def post_telemetry(body: TelemetryIn) -> Response[str]:
    """Validate each event separately and store the valid ones; 400 if there are none.

    An event that is stored with other content is corrected by its first sender and by members of the group `import`;
    from others it is rejected.
    """
    caller = http.caller(app)
    sender = Sender(caller.sub, imports="import" in caller.groups)
    reserve = partial(charges.reserve, caller, "events")
    return answers.accept(ingest.store(runtime.table(), sender, body, reserve), "events")


@http.route(app, "GET /devices", "All devices that have readings, by id", responses=answers.described(DevicesOut))
def get_devices(
    begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = directory_page(keys.DEVICES, begins_with, limit, cursor)
    return answers.reply(DevicesOut(devices=found, cursor=next_cursor))


@http.route(
    app,
    "GET /devices/{device}",
    "A device's numbers and the places it reported from",
    responses=answers.described(DeviceOut) | answers.NOT_FOUND,
    shows=(DEVICE, REPORTED_FROM),
    live=DEVICE_CHANGES,
)
def get_device(device: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query: the summary sorts before the edges. One more request on further pages, which have no summary."""
    page = edges_page((DEVICE, REPORTED_FROM), patterns.device(device), limit, cursor)
    if page.is_empty and cursor is None:
        raise NotFoundError("device", device)
    # While a device's last event is being removed, a summary may count places but no events.
    summary = _device_summary(page.summary) if page.summary and "Events" in page.summary.cells else None
    edges = devices.edges(runtime.table(), device, page.summary, page.edges)
    places = [_device_place(place, seen) for place, seen in edges]
    return answers.reply(DeviceOut(device=device, summary=summary, places=places, cursor=page.cursor))


@http.route(
    app,
    "GET /devices/{device}/events",
    "A device's readings, by instant",
    responses=answers.described(EventsOut),
    live=EVENT_CHANGES,
)
def get_events(
    device: PathId,
    start: From = None,
    end: To = None,
    order: Order = "asc",
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query between two sort keys."""
    query = patterns.device_events(device, *bounds(start, end), forward=order == "asc")
    found, next_cursor = items_page(query, limit, cursor, EVENT.standing)
    return answers.reply(EventsOut(events=[_event(event) for event in found], cursor=next_cursor))


@http.route(
    app,
    "DELETE /devices/{device}/events/{id}",
    "Withdraw a reading, as its first sender or as an importer; sent again, it is refused",
    responses=answers.removal() | answers.FORBIDDEN | answers.NOT_FOUND | answers.CONFLICT | answers.GONE,
    status_code=HTTPStatus.NO_CONTENT,
)
def delete_event(
    device: PathId,
    event_id: Annotated[SpelledShortId, Path(alias="id")],
    at: Annotated[QueryInstant, Query(description="the reading's, as answers show it")],
) -> Response[str]:
    """One read and one write; repeating it changes nothing."""
    key = keys.EVENT(device, millis(at), event_id)
    withdrawing.withdraw(runtime.table(), EVENT, key, event_id, http.caller(app), clock.now())
    return answers.no_content()


@http.route(
    app,
    "GET /devices/{device}/rollups",
    "One metric by hour or by day",
    responses=answers.described(RollupsOut),
    shows=(ROLLUP_HOUR, ROLLUP_DAY),
    live=ROLLUP_CHANGES,
)
def get_rollups(
    device: PathId,
    metric: Annotated[AnyMetric, Query()],
    grain: Annotated[Literal["hour", "day"], Query()],
    start: From = None,
    end: To = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query of the blocks of that grain, and one request for what is live; more if many blocks lack the metric.

    Hours and days are those of UTC, and the range must not cut one in two.

    One or two more requests if a device has so many metrics that its blocks have continuations.
    """
    first, last = bounds(start, end, grain)
    first, last = EARLIEST if first is None else first, LATEST + 1 if last is None else last
    wanted = rollups.Range(device, metric, GRAINS[grain], first, last)
    paging = Paging({"route": "rollups", "range": [device, metric, grain, first, last]}, cursor)
    buckets, position = rollups.page(runtime.table(), wanted, limit, paging.after)
    out = [_rollup(bucket.start, bucket.cell) for bucket in buckets]
    return answers.reply(
        RollupsOut(device=device, metric=metric, grain=grain, rollups=out, cursor=paging.next(position))
    )


_http = http.handler(app)


def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Serve one HTTP request or one batch from the queue."""
    if "Records" in event:
        return ingest.from_queue(event, context)
    return _http(event, context)


def _device_summary(member: Member) -> DeviceSummary:
    seen, places = member.cells["Events"], member.cells.get("Places", Cell())
    return DeviceSummary(events=seen.count, places=places.count, **span(seen))


def _device_place(place: Place, seen: Cell) -> DevicePlace:
    return DevicePlace(place=list(place), events=seen.count, **span(seen))


def _event(event: Reading) -> EventOut:
    return EventOut(
        event_id=event.id,
        at=rfc_3339(event.at),
        place=list(event.place) or None,
        metrics=dict(event.metrics),
        attributes=dict(event.attributes),
    )


def _rollup(start: Millis, cell: Cell) -> RollupOut:
    first, last = cell.extremes.first, cell.extremes.last
    return RollupOut(
        start=rfc_3339(start),
        count=cell.count,
        sum=cell.total,
        mean=cell.mean,
        min=cell.extremes.low,
        max=cell.extremes.high,
        first=first.value if first else None,
        last=last.value if last else None,
        recounting=first is None,
    )
