"""Access patterns of telemetry."""

from docs.patterns.pattern import Read, Write
from functions.domain.times import DAY, from_rfc_3339
from functions.store import patterns

NOON, LATER = "2018-08-29T12:00:00.000Z", "2018-09-04T01:00:00.000Z"
AUGUST, SEPTEMBER = from_rfc_3339("2018-08-01T00:00:00.000Z"), from_rfc_3339("2018-09-01T00:00:00.000Z")

_DEVICE = {"device": "123"}

READS = (
    Read(
        "a device's numbers and places",
        "GET /devices/{device}",
        _DEVICE,
        {},
        [patterns.telemetry.device("123")],
        units=0.5,
    ),
    Read(
        "a device's readings after an instant (`>`)",
        "GET /devices/{device}/events",
        _DEVICE,
        {"after": NOON},
        [patterns.telemetry.device_events("123", from_rfc_3339(NOON), None)],
        units=0.5,
    ),
    Read(
        "a device's readings before an instant (`<`), newest first",
        "GET /devices/{device}/events",
        _DEVICE,
        {"before": LATER, "order": "desc"},
        [patterns.telemetry.device_events("123", None, from_rfc_3339(LATER), forward=False)],
        units=0.5,
    ),
    Read(
        "a device's readings between two instants",
        "GET /devices/{device}/events",
        _DEVICE,
        {"after": NOON, "before": LATER},
        [patterns.telemetry.device_events("123", from_rfc_3339(NOON), from_rfc_3339(LATER))],
        units=0.5,
    ),
    Read(
        "a metric by hour or by day",
        "GET /devices/{device}/rollups",
        _DEVICE,
        {"metric": "temp", "grain": "day", "from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [patterns.telemetry.rollups("123", "DAY", AUGUST, SEPTEMBER - DAY)],
        units=0.5,
    ),
)

WRITES = (
    Write(
        "store readings",
        "POST /telemetry",
        {},
        {"events": [{"device_id": "123", "at": NOON, "metrics": {"temp": 1}}]},
        {"BatchWriteItem": 1},
        "1 a reading, 25 readings a request",
        groups=("ingest",),
    ),
)
