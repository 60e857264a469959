"""What the aggregates must say, counted from the source items by plain Python: nothing of functions/domain is used."""

from collections import defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

HOUR, DAY = 3_600_000, 86_400_000


@dataclass(frozen=True)
class Reading:
    """A source event as the test wrote it."""

    device: str
    at: int
    place: tuple[str, ...]
    metrics: dict[str, Decimal]


@dataclass(frozen=True)
class Post:
    """A source message as the test wrote it."""

    room: str
    user: str
    at: int


@dataclass
class Expected:
    """Every aggregate by what it is about."""

    posted_in: dict[Any, Any] = field(default_factory=dict)
    rooms: dict[Any, Any] = field(default_factory=dict)
    users: dict[Any, Any] = field(default_factory=dict)
    devices: dict[Any, Any] = field(default_factory=dict)
    reported_from: dict[Any, Any] = field(default_factory=dict)
    places: dict[Any, Any] = field(default_factory=dict)
    rollups: dict[Any, Any] = field(default_factory=dict)

    def without_extremes(self) -> list[dict[Any, Any]]:
        """Counts, sums and distinct counts only."""
        return [
            {edge: numbers[0] for edge, numbers in self.posted_in.items()},
            self.rooms,
            self.users,
            {device: (numbers[0], numbers[3]) for device, numbers in self.devices.items()},
            {edge: numbers[0] for edge, numbers in self.reported_from.items()},
            self.places,
            {cell: numbers[:2] for cell, numbers in self.rollups.items()},
        ]


def recount(readings: list[Reading], posts: list[Post]) -> Expected:
    """Count everything anew."""
    expected = Expected()
    _count_posts(expected, posts)
    _count_readings(expected, readings)
    return expected


def _count_posts(expected: Expected, posts: list[Post]) -> None:
    by_edge, by_room, by_user = defaultdict(list), defaultdict(list), defaultdict(list)
    for post in posts:
        by_edge[post.user, post.room].append(post.at)
        by_room[post.room].append(post.user)
        by_user[post.user].append(post.room)
    expected.posted_in = {edge: (len(at), min(at), max(at)) for edge, at in by_edge.items()}
    expected.rooms = {room: (len(users), len(set(users))) for room, users in by_room.items()}
    expected.users = {user: (len(rooms), len(set(rooms))) for user, rooms in by_user.items()}


def _count_readings(expected: Expected, readings: list[Reading]) -> None:
    by_device, by_edge, by_place = defaultdict(list), defaultdict(list), defaultdict(list)
    cells: dict[Any, list[tuple[int, Decimal]]] = defaultdict(list)
    for reading in readings:
        by_device[reading.device].append(reading)
        if reading.place:
            by_edge[reading.device, reading.place].append(reading.at)
        for depth in range(1, len(reading.place) + 1):
            by_place[reading.place[:depth]].append(reading.device)
        for metric, value in reading.metrics.items():
            for grain, size in (("hour", HOUR), ("day", DAY)):
                cells[reading.device, grain, reading.at // size * size, metric].append((reading.at, value))
    expected.devices = {
        device: (len(rs), min(r.at for r in rs), max(r.at for r in rs), len({r.place for r in rs if r.place}))
        for device, rs in by_device.items()
    }
    expected.reported_from = {edge: (len(at), min(at), max(at)) for edge, at in by_edge.items()}
    expected.places = {place: (len(devices), len(set(devices))) for place, devices in by_place.items()}
    expected.rollups = {key: _statistics(seen) for key, seen in cells.items()}


def _statistics(seen: list[tuple[int, Decimal]]) -> tuple[Any, ...]:
    values = [value for _, value in seen]
    return len(seen), sum(values), min(values), max(values), min(seen)[1], max(seen)[1]
