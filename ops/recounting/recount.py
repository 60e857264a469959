"""Recounts aggregates from what was sent, in plain Python that knows nothing of the table.

The demo, the benchmarks, the drill and `make verify` all compare with these numbers.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Context, Decimal, Inexact
from functools import reduce
from typing import TypeVar

from ops.recounting.facts import Facts, Fields, Name
from ops.recounting.samples import Message, Reading

K = TypeVar("K")
T = TypeVar("T")

# A sum that would not be exact raises instead: 660 digits hold 10^18 doubles.
EXACT = Context(prec=660, traps=[Inexact])
HOURS, DAYS = "ROLLUP_HOUR", "ROLLUP_DAY"
# How much of an instant, as text, names the hour or the day; and what makes it the instant at which that begins.
_STARTS = {HOURS: (13, ":00:00.000Z"), DAYS: (10, "T00:00:00.000Z")}


def recount(readings: Sequence[Reading], messages: Sequence[Message]) -> Facts:
    """Every aggregate, kind by kind."""
    return {
        **rooms(messages),
        **users(messages),
        **users_in_rooms(messages),
        **devices(readings),
        **devices_at_places(readings),
        **places(readings),
        **devices_below(readings),
        **rollups(HOURS, readings),
        **rollups(DAYS, readings),
    }


def rooms(messages: Iterable[Message]) -> Facts:
    """By room: the number of messages and of users who wrote them."""
    groups = grouped((message.room, message) for message in messages)
    return {
        Name("ROOM", (room,)): {"messages": len(group), "users": len({m.user for m in group})}
        for room, group in groups.items()
    }


def users(messages: Iterable[Message]) -> Facts:
    """By user: the number of messages and of rooms that contain them."""
    groups = grouped((message.user, message) for message in messages)
    return {
        Name("USER", (user,)): {"messages": len(group), "rooms": len({m.room for m in group})}
        for user, group in groups.items()
    }


def users_in_rooms(messages: Iterable[Message]) -> Facts:
    """By user and room: the number of messages, the first instant and the last."""
    groups = grouped(((message.user, message.room), message.sent_at) for message in messages)
    return {
        Name("POSTED_IN", about): {"messages": len(group)} | first_and_last(group) for about, group in groups.items()
    }


def devices(readings: Iterable[Reading]) -> Facts:
    """By device: the number of events and of places, the first instant and the last."""
    groups = grouped((reading.device, reading) for reading in readings)
    return {
        Name("DEVICE", (device,)): {"events": len(group), "places": len({r.place for r in group if r.place})}
        | first_and_last([r.at for r in group])
        for device, group in groups.items()
    }


def devices_at_places(readings: Iterable[Reading]) -> Facts:
    """By device and place: the number of events, the first instant and the last."""
    groups = grouped(((reading.device, reading.place), reading.at) for reading in readings if reading.place)
    return {
        Name("REPORTED_FROM", about): {"events": len(group)} | first_and_last(group) for about, group in groups.items()
    }


def places(readings: Iterable[Reading]) -> Facts:
    """By place, at every level: the number of events there and below, and of devices that reported them."""
    groups = grouped((place, reading.device) for reading in readings for place in _levels(reading))
    return {
        Name("PLACE", (place,)): {"events": len(group), "devices": len(set(group))} for place, group in groups.items()
    }


def devices_below(readings: Iterable[Reading]) -> Facts:
    """By place, at every level, and device: that the device reported from there or from below."""
    return {Name("HOSTS", (place, r.device)): {"there": True} for r in readings for place in _levels(r)}


def rollups(kind: str, readings: Iterable[Reading]) -> Facts:
    """By device, metric and start of the hour or day: a summary of the numbers measured in it."""
    shown, rest = _STARTS[kind]
    groups = grouped(
        ((reading.device, metric, reading.at[:shown] + rest), (reading.at, value))
        for reading in readings
        for metric, value in reading.metrics.items()
    )
    return {Name(kind, about): summary(group) for about, group in groups.items()}


def summary(values: Sequence[tuple[str, Decimal]]) -> Fields:
    """Count, exact sum, mean (rounded), smallest and greatest value, first and last value in time."""
    numbers = [value for _, value in values]
    total = reduce(EXACT.add, numbers)
    return {
        "count": len(numbers),
        "sum": total,
        "mean": rounded_mean(total / len(numbers)),
        "min": min(numbers),
        "max": max(numbers),
        "first": min(values)[1],
        "last": max(values)[1],
    }


def rounded_mean(mean: Decimal | float) -> float:
    """A mean to twelve significant digits: as a quotient, it may have no exact decimal form."""
    return float(f"{mean:.12g}")


def first_and_last(instants: Sequence[str]) -> dict[str, object]:
    """The first and the last of some instants, in the API's format."""
    return {"first": with_milliseconds(min(instants)), "last": with_milliseconds(max(instants))}


def with_milliseconds(at: str) -> str:
    """Turn `2013-01-01T06:00:00Z`, the format of the files, into `2013-01-01T06:00:00.000Z`, the API's."""
    return at if "." in at else at.removesuffix("Z") + ".000Z"


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """What has the same key, by key."""
    groups: dict[K, list[T]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def _levels(reading: Reading) -> list[tuple[str, ...]]:
    """The place of a reading, and those that contain it."""
    return [reading.place[:depth] for depth in range(1, len(reading.place) + 1)]
