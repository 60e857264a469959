"""Recounts the aggregates from the input files, in plain Python that knows nothing of the table."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from decimal import Context, Decimal, Inexact
from functools import reduce
from typing import TypeVar

from local.samples import Message, Reading

Key = tuple[str, ...]
Fields = dict[str, int | str | Decimal | float]
Facts = dict[Key, Fields]
T = TypeVar("T")

# A sum that would not be exact raises instead.
EXACT = Context(prec=100, traps=[Inexact])


def recount(readings: list[Reading], messages: list[Message]) -> dict[str, Facts]:
    """Every aggregate by kind and key."""
    return {
        "rooms": rooms(messages),
        "users": users(messages),
        "users in rooms": users_in_rooms(messages),
        "devices": devices(readings),
        "devices at places": devices_at_places(readings),
        "places": places(readings),
        "hourly rollups": rollups(readings, lambda at: at[:13] + ":00:00.000Z"),
        "daily rollups": rollups(readings, lambda at: at[:10] + "T00:00:00.000Z"),
    }


def rooms(messages: list[Message]) -> Facts:
    """By room: the number of messages and of users who wrote them."""
    groups = grouped(messages, lambda message: (message.room,))
    return {key: {"messages": len(group), "users": len({m.user for m in group})} for key, group in groups.items()}


def users(messages: list[Message]) -> Facts:
    """By user: the number of messages and of rooms that contain them."""
    groups = grouped(messages, lambda message: (message.user,))
    return {key: {"messages": len(group), "rooms": len({m.room for m in group})} for key, group in groups.items()}


def users_in_rooms(messages: list[Message]) -> Facts:
    """By user and room: the number of messages, the first instant and the last."""
    groups = grouped(messages, lambda message: (message.user, message.room))
    return {key: {"messages": len(group)} | first_and_last([m.sent_at for m in group]) for key, group in groups.items()}


def devices(readings: list[Reading]) -> Facts:
    """By device: the number of events and of places, the first instant and the last."""
    groups = grouped(readings, lambda reading: (reading.device,))
    return {
        key: {"events": len(group), "places": len({r.place for r in group})} | first_and_last([r.at for r in group])
        for key, group in groups.items()
    }


def devices_at_places(readings: list[Reading]) -> Facts:
    """By device and place: the number of events, the first instant and the last."""
    groups = grouped(readings, lambda reading: (reading.device, *reading.place))
    return {key: {"events": len(group)} | first_and_last([r.at for r in group]) for key, group in groups.items()}


def places(readings: list[Reading]) -> Facts:
    """By place, at every level: the number of events there and below, and of devices that reported them."""
    at_levels = [(r.place[:depth], r.device) for r in readings for depth in range(1, len(r.place) + 1)]
    groups = grouped(at_levels, lambda pair: pair[0])
    return {
        key: {"events": len(group), "devices": len({device for _, device in group})} for key, group in groups.items()
    }


def rollups(readings: list[Reading], start: Callable[[str], str]) -> Facts:
    """By device, metric and start of the hour or day: a summary of the numbers measured in it."""
    measured = [((r.device, metric, start(r.at)), r.at, value) for r in readings for metric, value in r.metrics.items()]
    groups = grouped(measured, lambda one: one[0])
    return {key: summary([(at, value) for _, at, value in group]) for key, group in groups.items()}


def summary(values: list[tuple[str, Decimal]]) -> Fields:
    """Count, exact sum, mean (rounded), smallest and greatest value, first and last value in time."""
    numbers = [value for _, value in values]
    total = reduce(EXACT.add, numbers)
    return {
        "count": len(numbers),
        "sum": total,
        "mean": rounded_mean(total, len(numbers)),
        "min": min(numbers),
        "max": max(numbers),
        "first": min(values)[1],
        "last": max(values)[1],
    }


def rounded_mean(total: Decimal, count: int) -> float:
    """The mean to twelve significant digits: as a quotient, it may have no exact decimal form."""
    return float(f"{total / count:.12g}")


def first_and_last(instants: list[str]) -> Fields:
    """The first and the last of some instants, in the API's format."""
    return {"first": with_milliseconds(min(instants)), "last": with_milliseconds(max(instants))}


def with_milliseconds(at: str) -> str:
    """Turn `2013-01-01T06:00:00Z`, the format of the files, into `2013-01-01T06:00:00.000Z`, the API's."""
    return at if "." in at else at.removesuffix("Z") + ".000Z"


def grouped(items: Iterable[T], key: Callable[[T], Key]) -> dict[Key, list[T]]:
    """The items by key."""
    groups: dict[Key, list[T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
