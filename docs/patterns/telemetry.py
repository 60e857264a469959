"""Access patterns of telemetry."""

from decimal import Decimal

from docs.patterns import example
from docs.patterns.pattern import BatchGet, Read, Write, directory_read
from edgewise.aggregates import keys
from edgewise.aggregates.continuations.items import continuation
from edgewise.dynamodb.table import Table
from edgewise.times import DAY, from_rfc_3339
from functions import directory
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry import patterns as telemetry_patterns
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import DEVICE, ROLLUP_DAY

NOON, LATER = "2018-08-29T12:00:00.000Z", "2018-09-04T01:00:00.000Z"
AUGUST, SEPTEMBER = from_rfc_3339("2018-08-01T00:00:00.000Z"), from_rfc_3339("2018-09-01T00:00:00.000Z")

_DEVICE = {"device": "123"}
_SEEN = ("2011-07-09T13:00:00.000Z", NOON, "2018-08-30T12:00:00.000Z", LATER)


def readings(table: Table) -> None:
    """Readings that device 123 has reported from New York."""
    place, metrics = ("US", "New York"), {"temp": Decimal("39.02")}
    events = [Reading("123", from_rfc_3339(at), "e1", place, metrics) for at in _SEEN]
    example.store(table, *map(telemetry_codec.event_item, events))


def _many_metrics(table: Table) -> None:
    """Readings of 900 metrics by device 456, in nine events of 100 each."""
    names = [f"metric-{number:03d}" for number in range(900)]
    metrics = [dict.fromkeys(names[start : start + 100], Decimal("39.02")) for start in range(0, 900, 100)]
    events = [Reading("456", from_rfc_3339(NOON), f"e{number}", (), some) for number, some in enumerate(metrics)]
    example.store(table, *map(telemetry_codec.event_item, events))


_LAST = continuation(ROLLUP_DAY("456", from_rfc_3339("2018-08-29T00:00:00.000Z")), "0.metric-899")


def _live(device: str) -> BatchGet:
    """What is open, in the item of the device."""
    return BatchGet([keys.of(DEVICE(device))], consistent=True)


READS = (
    Read(
        "a device's numbers and places",
        "GET /devices/{device}",
        _DEVICE,
        {},
        [telemetry_patterns.device("123")],
        units=0.5,
        given=readings,
    ),
    Read(
        "a device's readings from an instant on",
        "GET /devices/{device}/events",
        _DEVICE,
        {"from": NOON},
        [telemetry_patterns.device_events("123", from_rfc_3339(NOON), None)],
        units=0.5,
        given=readings,
    ),
    Read(
        "a device's readings before an instant, newest first",
        "GET /devices/{device}/events",
        _DEVICE,
        {"to": LATER, "order": "desc"},
        [telemetry_patterns.device_events("123", None, from_rfc_3339(LATER), forward=False)],
        units=0.5,
        given=readings,
    ),
    Read(
        "a device's readings between two instants",
        "GET /devices/{device}/events",
        _DEVICE,
        {"from": NOON, "to": LATER},
        [telemetry_patterns.device_events("123", from_rfc_3339(NOON), from_rfc_3339(LATER))],
        units=0.5,
        given=readings,
    ),
    Read(
        "a metric by hour or by day",
        "GET /devices/{device}/rollups",
        _DEVICE,
        {"metric": "temp", "grain": "day", "from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [telemetry_patterns.rollups("123", "DAY", AUGUST, SEPTEMBER - DAY), _live("123")],
        units=1.5,
        given=readings,
    ),
    Read(
        "a metric of a device with more metrics than fit into an item",
        "GET /devices/{device}/rollups",
        {"device": "456"},
        {"metric": "metric-899", "grain": "day", "from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [telemetry_patterns.rollups("456", "DAY", AUGUST, SEPTEMBER - DAY), BatchGet([keys.of(_LAST)]), _live("456")],
        units=4.0,
        bound="2, and 1 per level of continuations",
        given=_many_metrics,
    ),
    directory_read("all devices, by id", "GET /devices", telemetry_keys.DEVICES, readings, "a new device"),
    Read(
        "the devices whose ids begin with a text",
        "GET /devices",
        {},
        {"begins_with": "12"},
        [directory.entries(telemetry_keys.DEVICES, "12")],
        units=0.5,
        given=readings,
    ),
)

_SENT = [{"device_id": "123", "at": at, "event_id": "e1", "metrics": {"temp": 1}} for at in (NOON, LATER)]


def _sent_before(table: Table) -> None:
    """The same readings with another value."""
    events = [Reading("123", from_rfc_3339(at), "e1", (), {"temp": Decimal(2)}) for at in (NOON, LATER)]
    example.store(table, *(telemetry_codec.sent_item(event, "amy") for event in events))


WRITES = (
    Write(
        "store events",
        "POST /telemetry",
        {},
        {"events": _SENT},
        {"BatchExecuteStatement": 1},
        "1 per event (1 per KB), 25 events per request",
        groups=("ingest",),
    ),
    Write(
        "store one event",
        "POST /telemetry",
        {},
        {"events": [_SENT[0] | {"attributes": {"page": "/"}}]},
        {"PutItem": 1},
        "1 (1 per KB)",
        groups=("ingest",),
    ),
    Write(
        "correct events",
        "POST /telemetry",
        {},
        {"events": _SENT},
        {"BatchExecuteStatement": 1, "BatchGetItem": 1, "PutItem": 2},
        "2 per event: the refused insertion, and the correction, a request each; repeated events take only the first. "
        "1 read unit each",
        given=_sent_before,
        groups=("ingest",),
    ),
    Write(
        "withdraw an event",
        "DELETE /devices/{device}/events/{id}",
        {"device": "123", "id": "e1"},
        None,
        {"GetItem": 1, "PutItem": 1},
        "1 (1 per KB of the event): its tombstone; the stream then takes it out of its hour, day, place and device",
        given=_sent_before,
        groups=(),
        query={"at": NOON},
    ),
)
