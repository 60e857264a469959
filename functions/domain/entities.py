"""What people and devices send: the sources of every aggregate."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from functions.domain.places import Place
from functions.domain.times import EARLIEST, Millis

MAX_SHARDS = 64


@dataclass(frozen=True, slots=True)
class Event:
    """One reading of a device: at an instant, perhaps at a place, some measured numbers by name."""

    device: str
    at: Millis
    id: str
    place: Place
    metrics: Mapping[str, Decimal]


def derived_event_id(device: str, instant: datetime, place: Place, metrics: Mapping[str, Decimal]) -> str:
    """The id of an event that came without one: the same device, instant and content give the same id.

    Numbers count by value (as `measurable` returns them), the instant by microsecond. 26 hexadecimal digits: 104 bits.
    """
    numbers = {name: f"{value:f}" for name, value in metrics.items()}
    content = json.dumps([device, instant.isoformat(), place, numbers], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:26]


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; `user`, `sent_at` and `id` together name it within its room."""

    room: str
    shard: int
    user: str
    sent_at: Millis
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A materialized edge as a source of further aggregates: how many things it stands for."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Widening:
    """From this instant on, messages are spread over this many shards."""

    since: Millis
    shards: int


@dataclass(frozen=True, slots=True)
class Room:
    """A chat room and the history of its shards.

    A message's shard follows from its instant and id by the history alone. So a message sent again lands on
    its first copy, however often the room has been widened in between.
    """

    name: str
    history: tuple[Widening, ...]
    version: int = 1

    @classmethod
    def starting_with(cls, name: str, shards: int) -> "Room":
        """A room that has had this many shards since ever."""
        return cls(name, (Widening(EARLIEST, shards),))

    @property
    def shards(self) -> int:
        """How many shards a reader must look at."""
        return self.history[-1].shards

    def shard_of(self, sent_at: Millis, message_id: str) -> int:
        """The shard, 1 to n, of a message sent at this instant."""
        shards = next(step.shards for step in reversed(self.history) if step.since <= sent_at)
        digest = hashlib.sha256(message_id.encode()).digest()
        return int.from_bytes(digest[:8], "big") % shards + 1

    def widened(self, shards: int, since: Millis) -> "Room":
        """The room with more shards from `since` on."""
        return Room(self.name, (*self.history, Widening(since, shards)), self.version + 1)
