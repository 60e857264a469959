"""Reads of chat: which index, which key condition."""

from collections.abc import Sequence

from functions.domain.chat import Room
from functions.domain.times import Millis
from functions.store import keys
from functions.store.queries import BeginsWith, Between, Condition, Query
from functions.store.schema import BY_TARGET, BY_VALUE


def messages_during(room: Room, period: str, user: str | None, *, forward: bool = True) -> Sequence[Query]:
    """A room's messages of a period (empty: ever): of one user through the table, of all through the index by time."""
    return _messages(
        room, BeginsWith(keys.chat.messages_during(period, user)) if period or user else None, user, forward
    )


def messages_between(
    room: Room, start: Millis | None, end: Millis | None, user: str | None, *, forward: bool = True
) -> Sequence[Query]:
    """A room's messages from `start` on and before `end`, each optional, in the same two ways."""
    return _messages(room, Between(*keys.chat.messages_between(start, end, user)), user, forward)


def _messages(room: Room, condition: Condition, user: str | None, forward: bool) -> Sequence[Query]:
    index = BY_VALUE if user is None else None
    shards = range(1, room.shards + 1)
    return [Query(keys.chat.room_shard(room.name, shard), condition, index, forward) for shard in shards]


def room(name: str) -> Query:
    """A room's summary and metadata."""
    metadata = keys.chat.room_metadata(name)
    return Query(metadata.pk, Between(keys.nodes.NODE_SUMMARY, metadata.sk))


def room_users(name: str) -> Query:
    """Who posted in a room: the edges that point at it."""
    return Query(keys.chat.room(name), BeginsWith(keys.chat.USERS), BY_TARGET)


def user_rooms(user: str) -> Query:
    """A user's summary, then the rooms the user posted in."""
    return Query(keys.chat.user(user), BeginsWith(keys.nodes.EDGES))
