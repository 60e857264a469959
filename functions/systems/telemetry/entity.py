"""Telemetry: the events of devices, and their aggregates."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from functions.aggregates.edges import Edge
from functions.aggregates.measures import COUNT, Fed, Observation
from functions.place import Place
from functions.times import DAY, HOUR, Millis

# The data of an event besides its measured numbers: a visited page, a log message, a flag.
AttributeValue = str | bool | Decimal


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


def derived_event_id(
    device: str,
    instant: datetime,
    place: Place,
    metrics: Mapping[str, Decimal],
    attributes: Mapping[str, AttributeValue],
) -> str:
    """The id of an event that was sent without one: the same device, instant and content give the same id.

    Numbers count by value (as `shortest` writes them), the instant by microsecond. 26 hexadecimal digits: 104 bits.
    """
    numbers = {name: f"{value:f}" for name, value in metrics.items()}
    # The list keeps a number apart from a text with the same digits.
    told = {name: [f"{value:f}"] if isinstance(value, Decimal) else value for name, value in attributes.items()}
    content = json.dumps([device, instant.isoformat(), place, numbers, *([told] if told else [])], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:26]


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
