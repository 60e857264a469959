"""Every aggregate of the project, declared: what feeds it, which rank it has, what it measures.

From these declarations come the stream consumer, its filter, the recounts and the documentation.
A change of rank r feeds only higher ranks, and the last rank never leaves the table as a source, so the consumer,
which writes to the table it listens to, can't loop.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from functions.domain.aggregates import AggregateId, Contributions, Observations, Part
from functions.domain.entities import Edge, Event, Message
from functions.domain.measures import Observation
from functions.domain.places import levels, parent
from functions.domain.times import DAY, HOUR, Millis

Source = Event | Message | Edge
Fed = Iterator[tuple[tuple[Part, ...], Observations]]


@dataclass(frozen=True)
class Feed:
    """Items of type `source` feed the aggregates that `into` yields: what each is about, and what it observes."""

    source: str
    into: Callable[[Any], Fed]


@dataclass(frozen=True)
class Declaration:
    """One kind of aggregate; `name` is also the `Type` of its items.

    `cells` are its measures, for people; `expiry_retracts` says whether an item that its time to live removed is
    taken out of the numbers again (it is not: an old reading has still been made).
    """

    name: str
    rank: int
    cells: str
    feeds: tuple[Feed, ...]
    expiry_retracts: bool = False


@dataclass(frozen=True)
class Grain:
    """Rollup resolution: one cell for each bucket and metric, and one item for each block of buckets."""

    name: str
    bucket: Millis
    block: Millis


# An update pays for the whole item, so a block must stay small; and it pays 1 KB at least, so it must not be tiny.
# Four hours of nine hourly metrics fill one write unit (docs/decisions/0004-rollup-blocks.md).
HOURLY = Grain("hour", bucket=HOUR, block=4 * HOUR)
DAILY = Grain("day", bucket=DAY, block=DAY)
GRAINS = {grain.name: grain for grain in (HOURLY, DAILY)}

COUNT = "Count"


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


def _posted_in(message: Message) -> Fed:
    yield (message.user, message.room), {COUNT: Observation(at=message.sent_at)}


def _hosts(edge: Edge) -> Fed:
    for place in levels(edge.target):
        yield (place, edge.source[0]), {COUNT: Observation()}


def _place_events(edge: Edge) -> Fed:
    for place in levels(edge.target):
        yield (place,), {"Events": Observation(edge.count)}


def _place_devices(edge: Edge) -> Fed:
    yield (edge.source,), {"Devices": Observation()}


def _child(into: Callable[[Edge], Fed]) -> Callable[[Edge], Fed]:
    """The same numbers once more, in the collection of the place around, so that one query lists all children."""

    def of_parent(edge: Edge) -> Fed:
        for (place,), observations in into(edge):
            assert isinstance(place, tuple)
            if parent(place):
                yield (parent(place), place[-1]), observations

    return of_parent


def _device_places(edge: Edge) -> Fed:
    yield edge.source, {"Places": Observation()}


def _user(edge: Edge) -> Fed:
    yield edge.source, {"Messages": Observation(edge.count), "Rooms": Observation()}


def _room(edge: Edge) -> Fed:
    yield edge.target, {"Messages": Observation(edge.count), "Users": Observation()}


DECLARATIONS = (
    Declaration("POSTED_IN", 1, "messages of a user in a room; first, last", (Feed("MESSAGE", _posted_in),)),
    Declaration("REPORTED_FROM", 1, "events of a device from a place; first, last", (Feed("EVENT", _reported_from),)),
    Declaration("HOSTS", 2, "a device has reported from this place or below", (Feed("REPORTED_FROM", _hosts),)),
    Declaration("ROLLUP_HOUR", 3, "each metric by hour", (Feed("EVENT", _rollup(HOURLY)),)),
    Declaration("ROLLUP_DAY", 3, "each metric by day", (Feed("EVENT", _rollup(DAILY)),)),
    Declaration(
        "DEVICE",
        3,
        "events, first, last; places",
        (Feed("EVENT", _device), Feed("REPORTED_FROM", _device_places)),
    ),
    Declaration("ROOM", 3, "messages, distinct users", (Feed("POSTED_IN", _room),)),
    Declaration("USER", 3, "messages, rooms", (Feed("POSTED_IN", _user),)),
    Declaration(
        "PLACE",
        3,
        "events, distinct devices, here and below",
        (Feed("REPORTED_FROM", _place_events), Feed("HOSTS", _place_devices)),
    ),
    Declaration(
        "CONTAINS",
        3,
        "the summary of a place, beside its siblings",
        (Feed("REPORTED_FROM", _child(_place_events)), Feed("HOSTS", _child(_place_devices))),
    ),
)

BY_NAME = {declaration.name: declaration for declaration in DECLARATIONS}
# What the consumer must be sent; every other type of item is filtered out before it reaches the function.
SOURCE_TYPES: tuple[str, ...] = tuple(
    dict.fromkeys(feed.source for declaration in DECLARATIONS for feed in declaration.feeds)
)
_FEEDS: dict[str, list[tuple[Declaration, Feed]]] = {
    source: [(d, feed) for d in DECLARATIONS for feed in d.feeds if feed.source == source] for source in SOURCE_TYPES
}


def contributions(source_type: str, item: Source | None, expired: bool = False) -> Contributions:
    """What an item contributes to every aggregate it feeds; nothing if there is no item.

    `expired`: the item is the old image of one that its time to live removed.
    """
    if item is None or (isinstance(item, Edge) and item.count == 0):
        return {}
    fed: dict[AggregateId, dict[str, Observation]] = {}
    for declaration, feed in _FEEDS[source_type]:
        if expired and not declaration.expiry_retracts:
            continue
        for parts, observations in feed.into(item):
            fed.setdefault(AggregateId(declaration.name, parts), {}).update(observations)
    return fed
