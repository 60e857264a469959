"""Telemetry: what devices send, and what is measured of it."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from functions.domain.declarations import COUNT, Declaration, Fed, Feed
from functions.domain.edges import Edge
from functions.domain.measures import Observation
from functions.domain.places import Place
from functions.domain.times import DAY, HOUR, Millis

# What an event tells beside its measured numbers: a page visited, a log's text, a flag.
AttributeValue = str | bool | Decimal


@dataclass(frozen=True, slots=True)
class Event:
    """One reading of a device: at an instant, perhaps at a place, some measured numbers by name.

    `attributes` are kept with it and given back; no aggregate is made of them unless one is declared that reads them.
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
    """The id of an event that came without one: the same device, instant and content give the same id.

    Numbers count by value (as `shortest` writes them), the instant by microsecond. 26 hexadecimal digits: 104 bits.
    """
    numbers = {name: f"{value:f}" for name, value in metrics.items()}
    # In a list, a number is none of the texts.
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


# An update pays for the whole item, so a block must stay small; and it pays 1 KB at least, so it must not be tiny.
# Four hours of nine hourly metrics fill one write unit (docs/decisions/0004-rollup-blocks.md).
HOURLY = Grain("hour", bucket=HOUR, block=4 * HOUR)
DAILY = Grain("day", bucket=DAY, block=DAY)
GRAINS = {grain.name: grain for grain in (HOURLY, DAILY)}


def cell_name(grain: Grain, at: Millis, metric: str) -> str:
    """The cell of a metric within its block: the bucket's number, then the metric, such as `3.temp`."""
    return f"{at % grain.block // grain.bucket}.{metric}"


def _rollup(grain: Grain) -> Callable[[Event], Fed]:
    def into(event: Event) -> Fed:
        at = event.at
        cells = {cell_name(grain, at, metric): Observation(1, value, at) for metric, value in event.metrics.items()}
        if cells:
            yield (event.device, at - at % grain.block), cells

    return into


def _device(event: Event) -> Fed:
    yield (event.device,), {"Events": Observation(at=event.at)}


def _reported_from(event: Event) -> Fed:
    if event.place:
        yield (event.device, event.place), {COUNT: Observation(at=event.at)}


def _device_places(edge: Edge) -> Fed:
    yield edge.source, {"Places": Observation()}


DECLARATIONS = (
    Declaration("REPORTED_FROM", 1, "events of a device from a place; first, last", (Feed("EVENT", _reported_from),)),
    Declaration("ROLLUP_HOUR", 3, "each metric by hour", (Feed("EVENT", _rollup(HOURLY)),), unbounded=True),
    Declaration(
        "ROLLUP_DAY",
        3,
        "each metric by day",
        (Feed("EVENT", _rollup(DAILY)),),
        unbounded=True,
        extremes_from="ROLLUP_HOUR",
    ),
    Declaration(
        "DEVICE",
        3,
        "events, first, last; places",
        (Feed("EVENT", _device), Feed("REPORTED_FROM", _device_places)),
    ),
)
