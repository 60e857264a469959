"""Chat: messages in rooms, and their aggregates."""

import hashlib
from dataclasses import dataclass

from functions.aggregates.edges import Edge
from functions.aggregates.measures import COUNT, Fed, Observation
from functions.times import EARLIEST, SECOND, Millis

MAX_SHARDS = 64
# A room does not widen itself again this soon after the last widening took effect: that one needs time to show effect.
COOL_DOWN = 60 * SECOND


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
class Widening:
    """From this instant on, messages are spread over this many shards."""

    since: Millis
    shards: int


@dataclass(frozen=True, slots=True)
class Room:
    """A chat room and the history of its shards.

    The history alone determines a message's shard from its instant and id. So a repeated message gets the
    key of its first copy, however often the room has been widened in between.
    """

    name: str
    history: tuple[Widening, ...]
    version: int = 1

    @classmethod
    def starting_with(cls, name: str, shards: int) -> "Room":
        """A room that has always had this many shards."""
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
        """The room with more shards, effective from `since`."""
        return Room(self.name, (*self.history, Widening(since, shards)), self.version + 1)

    def doubled(self, now: Millis, since: Millis) -> "Room | None":
        """The room with twice the shards, effective from `since`; None if it has the maximum, or was just widened."""
        if self.shards == MAX_SHARDS or now < self.history[-1].since + COOL_DOWN:
            return None
        return self.widened(min(2 * self.shards, MAX_SHARDS), since)


def of_posted_in(message: Message) -> Fed:
    """A message feeds the edge from its user to its room."""
    yield (message.user, message.room), {COUNT: Observation(at=message.sent_at)}


def of_user(edge: Edge) -> Fed:
    """An edge to a room feeds its user."""
    yield edge.source, {"Messages": Observation(edge.count), "Rooms": Observation()}


def of_room(edge: Edge) -> Fed:
    """An edge to a room feeds the room."""
    yield edge.target, {"Messages": Observation(edge.count), "Users": Observation()}
