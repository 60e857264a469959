"""Finds the readings that a device's aggregates count, and recounts their extremes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

from edgewise import Item, Millis, Read, Reader, Table
from edgewise.aggregates.recounts.declaration import both_ends
from edgewise.dynamodb import pages
from functions.place import Place
from functions.systems.telemetry import patterns
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


def hours_of_day(table: Table, device: str, day: Millis) -> Iterator[Item]:
    """The blocks of a day's hours."""
    blocks = patterns.rollups(device, HOURLY.name.upper(), day, day + DAILY.block - HOURLY.block)
    for page in pages.every(table, replace(blocks, consistent=True)):
        yield from page.items


def in_hours(name: str) -> list[str]:
    """The names of a day's cell in a block of hours, one for each bucket."""
    metric = name.partition(".")[2]
    return [f"{bucket}.{metric}" for bucket in range(HOURLY.buckets)]


def _events(reader: Reader, device: str) -> Iterator[Item]:
    return reader.read(patterns.device_events(device, None, None))
