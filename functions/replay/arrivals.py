"""What arrives in a run: readings and messages, as the seed says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Final

from edgewise import AggregateId, Item, Millis
from edgewise.times import SECOND
from functions.systems.chat.codec import message_item
from functions.systems.chat.entity import Message
from functions.systems.chat.system import ROOM
from functions.systems.places.system import PLACE
from functions.systems.telemetry.codec import event_item
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import DEVICE

DEVICES: Final = {"JFK": ("US", "New York"), "LGA": ("US", "New York"), "EWR": ("US", "New Jersey")}
ROOMS: Final = ("harbour", "quay")
PEOPLE: Final = ("amy", "bob", "kim")
# What is watched, each with the cell that counts.
WATCHED: Final[Mapping[AggregateId, str]] = {
    PLACE(("US",)): "Events",
    PLACE(("US", "New York")): "Events",
    ROOM("harbour"): "Messages",
    DEVICE("JFK"): "Events",
}
# Every two or three seconds, so many things arrive at once, so that a batch has more than one.
PAUSES: Final = (2, 3)
TOGETHER: Final = range(6, 13)


@dataclass(frozen=True)
class Arrival:
    """Something that is written in a second of the run. `counts`: the watched numbers that it is one of."""

    second: int
    item: Item
    counts: tuple[AggregateId, ...]


def arrivals(random: Random, began: Millis, seconds: int) -> Iterator[Arrival]:
    """All that arrives in so many seconds, in the order of time; at most six a second."""
    second, number = 1, 0
    while second <= seconds:
        for _ in range(random.choice(TOGETHER)):
            number += 1
            at = began + second * SECOND + number % SECOND
            make = random.choice((_reading, _reading, _message))
            yield make(random, second, at, f"{number:05}")
        second += random.choice(PAUSES)


def _reading(random: Random, second: int, at: Millis, name: str) -> Arrival:
    device, place = random.choice(list(DEVICES.items()))
    reading = Reading(device, at, name, place, {"temp": Decimal(random.randrange(100))})
    about = (DEVICE(device), *(PLACE(place[:depth]) for depth in (1, 2)))
    return Arrival(second, event_item(reading), about)


def _message(random: Random, second: int, at: Millis, name: str) -> Arrival:
    room, user = random.choice(ROOMS), random.choice(PEOPLE)
    return Arrival(second, message_item(Message(room, 1, user, at, name, "hello")), (ROOM(room),))
