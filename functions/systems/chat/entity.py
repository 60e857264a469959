"""Chat: messages in rooms, and their aggregates."""

from dataclasses import dataclass, field
from typing import ClassVar

from edgewise import COUNT, Edge, Fed, Millis, Observation
from edgewise.sharding.sharding import Sharding

MAX_SHARDS = 64
# How far a message may be ahead of the server's clock: a later widening would move it to another shard.
AHEAD = 0


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; `user`, `sent_at` and `id` together name it within its room.

    `sender`: the `sub` of whoever sent it, to whom it belongs, since a `user` may be deleted and made anew as another;
    empty: nobody knows. Whoever repeats a message, its sender stays the first.
    """

    room: str
    shard: int
    user: str
    sent_at: Millis
    id: str
    text: str
    sender: str = field(default="", compare=False)


class Room(Sharding):
    """A chat room and the history of its shards.

    The history alone determines a message's shard from its instant and id. So a repeated message gets the
    key of its first copy, however often the room has been widened in between.
    """

    __slots__ = ()
    most: ClassVar[int] = MAX_SHARDS


def of_posted_in(message: Message) -> Fed:
    """A message feeds the edge from its user to its room."""
    yield (message.user, message.room), {COUNT: Observation(at=message.sent_at)}


def of_user(edge: Edge) -> Fed:
    """An edge to a room feeds its user."""
    yield edge.source, {"Messages": Observation(edge.count), "Rooms": Observation()}


def of_room(edge: Edge) -> Fed:
    """An edge to a room feeds the room."""
    yield edge.target, {"Messages": Observation(edge.count), "Users": Observation()}
