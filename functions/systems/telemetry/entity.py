"""Telemetry: the events of devices, and their aggregates."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Context, Decimal

from edgewise import COUNT, AggregateId, Cell, Edge, Fed, Millis, Observation
from edgewise.aggregates.feeds import Arrival
from edgewise.aggregates.measures import Delta
from edgewise.aggregates.open_hours.declaration import Meaning, Meant
from edgewise.aggregates.open_hours.hours import Kept, summed
from edgewise.dynamodb.keys import join, split
from edgewise.times import DAY, HOUR
from functions.place import Place

# The data of an event besides its measured numbers: a visited page, a log message, a flag.
AttributeValue = str | bool | Decimal


# How far a reading may be ahead of the server's clock, as those of a device are whose zone is set wrong.
AHEAD = DAY
# A number that is written out has at most so many digits.
_LINE = Context(prec=400)
# The digits before the point, and after it, of the metrics and attributes that the first releases could read.
_FIRST_METRICS, _FIRST_ATTRIBUTES = (13, 18), (38, 38)


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a device: at an instant, perhaps at a place, some measured numbers by name.

    `attributes` are stored and returned with it; no aggregate uses them unless one is declared that reads them.
    """

    device: str
    at: Millis
    id: str
    place: Place
    metrics: Mapping[str, Decimal]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends readings: a user, by the `sub`, or a principal of AWS that sends to the queue, by its unique id.

    `imports`: whether the sender may correct what others have sent.
    """

    id: str
    imports: bool = False

    def may_correct(self, first: str | None) -> bool:
        """Whether the sender may change a reading that `first` sent first; None: it is not known who did."""
        return self.imports or self.id == first


def derived_event_id(
    device: str,
    instant: datetime,
    place: Place,
    metrics: Mapping[str, Decimal],
    attributes: Mapping[str, AttributeValue],
    others: Mapping[str, object],
) -> str:
    """The id of an event that was sent without one: the same device, instant and content give the same id.

    Numbers count by value (as `measurable` writes them), the instant by microsecond. `others`: what else was sent, by
    field, whether or not it is stored: when a release reads what this one can't, an event that is sent again keeps its
    id, or its other numbers would count twice. So numbers that the first releases could not read stand among them.
    26 hexadecimal digits: 104 bits.
    """
    others = {**others, **_unread("metrics", metrics, *_FIRST_METRICS)}
    others |= _unread("attributes", attributes, *_FIRST_ATTRIBUTES)
    numbers = {name: f"{value:f}" for name, value in metrics.items() if f"metrics.{name}" not in others}
    # The list keeps a number apart from a text with the same digits.
    told = {
        name: [f"{value:f}"] if isinstance(value, Decimal) else value
        for name, value in attributes.items()
        if f"attributes.{name}" not in others
    }
    parts = [device, instant.isoformat(), place, numbers, *([told] if told or others else [])]
    parts += [{field: _as_sent(value) for field, value in others.items()}] if others else []
    content = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(content.encode()).hexdigest()[:26]


def _unread(of: str, found: Mapping[str, AttributeValue], integer_digits: int, decimals: int) -> dict[str, Decimal]:
    """The numbers with more digits than these on either side of the point, by field."""
    numbers = ((name, value) for name, value in found.items() if isinstance(value, Decimal))
    digits = ((name, value, f"{value.copy_abs():f}".partition(".")) for name, value in numbers)
    return {
        f"{of}.{name}": value
        for name, value, (whole, _, rest) in digits
        if len(whole) > integer_digits or len(rest) > decimals
    }


def _as_sent(value: object) -> object:
    """A number by its value, if that is no longer than a line; anything else as it is."""
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        number = Decimal(value)
        return [f"{number.normalize(_LINE):f}"] if abs(number.adjusted()) < _LINE.prec else str(number)
    return value


@dataclass(frozen=True)
class Grain:
    """Rollup resolution: one cell for each bucket and metric, and one item for each block of buckets."""

    name: str
    bucket: Millis
    block: Millis

    @property
    def buckets(self) -> int:
        """How many buckets a block has."""
        return self.block // self.bucket


# An update is billed for the whole item, so a block must stay small; and for at least 1 KB, so it must not be tiny.
# Four hours of nine hourly metrics fill one write unit (docs/decisions/0004-rollup-blocks.md).
HOURLY = Grain("hour", bucket=HOUR, block=4 * HOUR)
DAILY = Grain("day", bucket=DAY, block=DAY)
GRAINS = {grain.name: grain for grain in (HOURLY, DAILY)}


def cell_name(grain: Grain, at: Millis, metric: str) -> str:
    """The cell of a metric within its block: the bucket's number, then the metric, such as `3.temp`."""
    return f"{at % grain.block // grain.bucket}.{metric}"


def of_rollup(grain: Grain) -> Callable[[Reading], Fed]:
    """An event feeds the block that contains its instant."""

    def into(event: Reading) -> Fed:
        at = event.at
        cells = {cell_name(grain, at, metric): Observation(1, value, at) for metric, value in event.metrics.items()}
        if cells:
            yield (event.device, at - at % grain.block), cells

    return into


def of_device(event: Reading) -> Fed:
    """An event feeds its device."""
    yield (event.device,), {"Events": Observation(at=event.at)}


def of_reported_from(event: Reading) -> Fed:
    """An event feeds the edge from its device to its place."""
    if event.place:
        yield (event.device, event.place), {COUNT: Observation(at=event.at)}


def of_places(edge: Edge) -> Fed:
    """An edge to a place feeds its device."""
    yield edge.source, {"Places": Observation()}


# Readings of about now wait in the open hour of their device; others feed hours, days and edges themselves.
LIVE = 2 * HOUR
# The bucket of open cells about places; the others are numbers of hours since 1970.
AT = "at"


def is_live(event: Reading, arrival: Arrival) -> bool:
    """Whether a reading waits in the open hour.

    Corrections and removals always do, however old: the changes of one device then reach its hours in their order.
    """
    return arrival.corrects or abs(event.at - arrival.at) <= LIVE


def is_past(event: Reading, arrival: Arrival) -> bool:
    """Whether a reading feeds hours, days and edges itself, as those of an import do."""
    return not is_live(event, arrival)


def of_open_hour(event: Reading) -> Fed:
    """An event feeds the open hour of its device, and the place from which it reports."""
    hour = event.at // HOUR
    cells = {f"{hour}.{metric}": Observation(1, value, event.at) for metric, value in event.metrics.items()}
    if event.place:
        cells[f"{AT}.{join(*event.place)}"] = Observation(at=event.at)
    yield (event.device,), cells


def open_start(name: str) -> Millis:
    """When the hour of an open cell begins; 0 for places."""
    bucket = name.partition(".")[0]
    return 0 if bucket == AT else int(bucket) * HOUR


def stays_open(cells: Mapping[str, Cell], deltas: Mapping[str, Delta]) -> Kept:
    """The newest hour stays open, and the last place.

    A place that is new is told at once, so that its edge exists from the first reading on; and with each new hour.
    """
    changes: dict[str, Cell] = {**cells, **{name: delta for name, delta in deltas.items() if not delta.retracts}}
    hours = {name: _hour(name, cell) for name, cell in changes.items()}
    newest = max(hours.values(), default=0)
    places = [name for name in changes if is_place(name)]
    now = {name for name in [max(places, key=lambda name: _last(changes[name]), default=None)] if name}
    told = {name for name in now if name not in cells or 0 < _hour(name, cells[name]) < newest}
    return Kept({name for name, hour in hours.items() if hour == newest and not is_place(name)} | now, told)


def of_closed_hour(grain: Grain) -> Meaning:
    """What a device closes changes the blocks of its hours."""

    def means(closed: AggregateId, open_cells: Mapping[str, Delta]) -> Meant:
        (device,) = closed.dimensions
        blocks: dict[Millis, dict[str, list[Delta]]] = {}
        for name, delta in open_cells.items():
            if not is_place(name):
                at, metric = open_start(name), name.partition(".")[2]
                cells = blocks.setdefault(at - at % grain.block, {})
                cells.setdefault(cell_name(grain, at, metric), []).append(delta)
        for block, cells in blocks.items():
            yield (device, block), {name: summed(deltas) for name, deltas in cells.items()}

    return means


def of_closed_place(closed: AggregateId, open_cells: Mapping[str, Delta]) -> Meant:
    """What a device closes changes the edges to its places."""
    (device,) = closed.dimensions
    for name, delta in open_cells.items():
        if is_place(name):
            yield (device, split(name.partition(".")[2])), {COUNT: delta}


def is_place(name: str) -> bool:
    """Whether an open cell is about a place, not about a metric."""
    return name.partition(".")[0] == AT


def _hour(name: str, cell: Cell) -> int:
    """The hour of an open cell; of a place, that of its last reading."""
    return _last(cell) // HOUR if is_place(name) else int(name.partition(".")[0])


def _last(cell: Cell) -> Millis:
    """The last instant of an open cell; 0 if it counts nothing or has been told."""
    return cell.extremes.last.at if cell.extremes.last else 0
