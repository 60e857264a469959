"""Finds the readings that a device's aggregates count, and recounts their extremes."""

from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from itertools import chain

from edgewise import AggregateId, Item, Kind, Millis, Read, Reader, Table
from edgewise.aggregates import stored
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.declaration import is_elsewhere
from edgewise.aggregates.continuations.items import continuation
from edgewise.aggregates.measures import Extremes, joined
from edgewise.aggregates.recounts.attributes import due, unknown
from edgewise.aggregates.recounts.declaration import both_ends
from edgewise.aggregates.recounts.progress import Progress
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import string
from functions.place import Place
from functions.systems.telemetry import keys, patterns
from functions.systems.telemetry.entity import DAILY, HOURLY, Grain

# The least number of items to read when one is enough, because the first may not belong to the aggregate.
_FEW = 100


def of_block(grain: Grain) -> Callable[[Reader, str, Millis], Iterator[Item]]:
    """The readings of a block of rollups."""

    def find(reader: Reader, device: str, block: Millis) -> Iterator[Item]:
        return reader.read(patterns.device_events(device, block, block + grain.block))

    return find


def of_reported_from(reader: Reader, device: str, _: Place) -> Iterator[Item]:
    """A device's readings, from all places."""
    return _events(reader, device)


def of_device(reader: Reader, device: str) -> Iterator[Item]:
    """A device's readings and its edges to places."""
    return chain(_events(reader, device), of_places(reader, device))


def of_places(reader: Reader, device: str) -> Iterator[Item]:
    """A device's edges to places."""
    return reader.read(patterns.device(device))


def by_bucket(_: Table, device: str, block: Millis) -> Iterator[Read]:
    """The readings of each bucket of a block of hours."""
    for bucket in range(HOURLY.buckets):
        start = block + bucket * HOURLY.bucket
        yield Read(patterns.device_events(device, start, start + HOURLY.bucket), f"{bucket}.")


def ends(_: Table, device: str) -> Iterator[Read]:
    """A device's first and last reading."""
    return both_ends(patterns.device_events(device, None, None), 1)


def ends_at_place(_table: Table, device: str, _: Place) -> Iterator[Read]:
    """The device's readings from both ends; the recount takes the first one from the place."""
    return both_ends(patterns.device_events(device, None, None), _FEW)


def day_from_hours(table: Table, hours: Kind, about: AggregateId, names: Set[str]) -> Progress:
    """A day's extremes are those of its hours, which are never behind the day (docs/exactly-once.md).

    If one hour does not know an extreme now, the day can't know it either: it waits for a recount under way, and is due
    where the hour is, because the source may have expired, or lacks something.
    """
    in_hours = {hour: name for name in names for hour in _of_hours(name)}
    found, blocked, not_known = dict[str, Extremes](), set[str](), set[str]()
    for block, item in _hours(table, hours, about, in_hours.keys()):
        unknown_here, due_here = unknown(item), due(item)
        for hour, name in in_hours.items():
            if cell := stored.stored_cell(item, hour, block):
                found[name] = joined(found.get(name, Extremes()), cell.extremes)
            if hour in due_here or stored.is_lacking(item):
                not_known.add(name)
            elif hour in unknown_here:
                blocked.add(name)
    known = {name: extremes for name, extremes in found.items() if name not in not_known}
    return Progress(known, blocked=frozenset(blocked))


def _events(reader: Reader, device: str) -> Iterator[Item]:
    return reader.read(patterns.device_events(device, None, None))


def _hours(table: Table, hours: Kind, day: AggregateId, names: Set[str]) -> Iterator[tuple[AggregateId, Item]]:
    """The blocks of a day's hours, and those of their continuations that may have one of these cells."""
    items = dict(_blocks(table, hours, day))
    while items:
        yield from items.items()
        further = {
            continuation(about, name) for about, item in items.items() for name in names if is_elsewhere(item, name)
        }
        items = readers.read(table, further)


def _blocks(table: Table, hours: Kind, day: AggregateId) -> Iterator[tuple[AggregateId, Item]]:
    device, start = str(day.dimensions[0]), int(str(day.dimensions[1]))
    blocks = patterns.rollups(device, HOURLY.name.upper(), start, start + DAILY.block - HOURLY.block)
    for page in pages.every(table, replace(blocks, consistent=True)):
        for item in page.items:
            yield hours(device, keys.parse_rollup(string(item["SK"]))), item


def _of_hours(name: str) -> list[str]:
    """The names of a day's cell in a block of hours, one for each bucket."""
    metric = name.partition(".")[2]
    return [f"{bucket}.{metric}" for bucket in range(HOURLY.buckets)]
