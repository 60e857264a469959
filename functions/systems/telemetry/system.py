"""Telemetry: the events of devices, and their aggregates."""

from collections.abc import Callable, Sequence

from edgewise import (
    COUNT,
    AggregateId,
    Buckets,
    Extremal,
    Feed,
    FromSources,
    Indexed,
    Kind,
    Millis,
    Source,
    Span,
    Unbounded,
)
from edgewise.aggregates import edges
from edgewise.aggregates.open_hours.declaration import OpenedIn, OpenHours
from edgewise.aggregates.recounts.declaration import FromOthers
from functions import directory
from functions.owned import OWNER, Owned
from functions.searchable import Contents, searchable
from functions.system import Live, Rights, System, partition_of
from functions.systems.telemetry import codec, keys, sources
from functions.systems.telemetry.entity import (
    DAILY,
    HOURLY,
    Grain,
    is_live,
    is_past,
    of_closed_hour,
    of_closed_place,
    of_device,
    of_open_hour,
    of_places,
    of_reported_from,
    of_rollup,
    open_start,
    stays_open,
)


def _bucket_start(grain: Grain) -> Callable[[AggregateId, str], Millis]:
    def start(about: AggregateId, cell: str) -> Millis:
        return int(str(about.dimensions[1])) + int(cell.partition(".")[0]) * grain.bucket

    return start


def _days(device: str, block: Millis) -> Sequence[AggregateId]:
    """The day whose extremes are made of this block of hours."""
    return (ROLLUP_DAY(device, block - block % DAILY.block),)


def _device_of(device: str, *_: object) -> AggregateId:
    """The device in whose open hour a reading waits before it feeds other aggregates of the device."""
    return DEVICE(device)


def _topic(device: str, **_: str) -> str:
    """All that is kept of a device is in its partition."""
    return keys.device(device)


EVENT = Owned(
    type="EVENT",
    called="reading",
    decode=codec.event,
    is_owner=codec.is_senders,
    withdrawn_by=(OWNER, "import"),
)
EVENTS = EVENT.source
REPORTED_FROM = Kind(
    name="REPORTED_FROM",
    rank=1,
    cells="events of a device from a place; first, last",
    readable_by_all=True,
    feeds=(Feed(EVENTS, of_reported_from, takes=is_past),),
    key=keys.REPORTED_FROM,
    sources=sources.of_reported_from,
    parts=(
        Extremal(FromSources(sources.ends_at_place)),
        Indexed(codec.by_place),
        Span(COUNT),
        OpenedIn("DEVICE", _device_of, of_closed_place),
    ),
)
# A device's edges to places feed the aggregates of devices and, in another system, those of places.
TO_PLACES = REPORTED_FROM.source(edges.edge)
ROLLUP_HOUR = Kind(
    name="ROLLUP_HOUR",
    rank=3,
    cells="each metric by hour",
    readable_by_all=True,
    feeds=(Feed(EVENTS, of_rollup(HOURLY), takes=is_past),),
    key=keys.ROLLUPS["HOUR"],
    sources=sources.of_block(HOURLY),
    parts=(
        Extremal(FromSources(sources.by_bucket), followers=_days),
        Buckets(_bucket_start(HOURLY)),
        Unbounded(),
        OpenedIn("DEVICE", _device_of, of_closed_hour(HOURLY)),
    ),
)
ROLLUP_DAY = Kind(
    name="ROLLUP_DAY",
    rank=3,
    cells="each metric by day",
    readable_by_all=True,
    feeds=(Feed(EVENTS, of_rollup(DAILY), takes=is_past),),
    key=keys.ROLLUPS["DAY"],
    sources=sources.of_block(DAILY),
    parts=(
        Extremal(FromOthers(ROLLUP_HOUR, sources.hours_of_day, sources.in_hours)),
        Buckets(_bucket_start(DAILY)),
        Unbounded(),
        OpenedIn("DEVICE", _device_of, of_closed_hour(DAILY)),
    ),
)
DEVICE = Kind(
    name="DEVICE",
    rank=3,
    cells="events, first, last; places; the open hour of each metric, and of the last place",
    readable_by_all=True,
    feeds=(Feed(EVENTS, of_device), Feed(EVENTS, of_open_hour, takes=is_live), Feed(TO_PLACES, of_places)),
    key=keys.DEVICE,
    sources=sources.of_device,
    parts=(
        Extremal(FromSources(sources.ends)),
        Indexed(directory.of_summaries(keys.DEVICES)),
        Span("Events"),
        OpenHours(stays_open, open_start, closes=(REPORTED_FROM, ROLLUP_HOUR, ROLLUP_DAY)),
    ),
)

DEVICE_CHANGES = Live(_topic, dict.fromkeys(("DEVICE", "REPORTED_FROM"), partition_of))
# A reading changes the device's summary: so nobody need look at readings too.
EVENT_CHANGES = Live(_topic, {"DEVICE": partition_of})
ROLLUP_CHANGES = Live(_topic, dict.fromkeys(("DEVICE", "ROLLUP_HOUR", "ROLLUP_DAY"), partition_of))

_DEVICES = Source(DEVICE.name, codec.device_of)
SYSTEM = System(
    name="telemetry",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem", "PartiQLInsert"),
        writes=(keys.DEVICES,),
    ),
    owned=(EVENT,),
    unindexed=("EVENT",),
    kinds=(REPORTED_FROM, ROLLUP_HOUR, ROLLUP_DAY, DEVICE),
    live=(DEVICE_CHANGES, EVENT_CHANGES, ROLLUP_CHANGES),
    directories=(keys.DEVICES,),
    searchable=(searchable("device", _DEVICES, keys.DEVICES, lambda device: Contents((device,), device)),),
)
