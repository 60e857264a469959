"""Reads of chat: which index, which key condition."""

from collections.abc import Sequence

from edgewise import BY_TARGET, BY_VALUE, BeginsWith, Between, Millis, Query
from edgewise.dynamodb.queries import KeyCondition
from functions.systems.chat import keys
from functions.systems.chat.entity import Room


def messages_during(room: Room, period: str, user: str | None, *, forward: bool = True) -> Sequence[Query]:
    """A room's messages of a period (empty: all): of one user from the table, of all users from the index by time."""
    return _messages(room, BeginsWith(keys.messages_during(period, user)) if period or user else None, user, forward)


def messages_between(
    room: Room, start: Millis | None, end: Millis | None, user: str | None, *, forward: bool = True
) -> Sequence[Query]:
    """A room's messages from `start` on and before `end`, each optional, in the same two ways."""
    return _messages(room, Between(*keys.messages_between(start, end, user)), user, forward)


def _messages(room: Room, condition: KeyCondition, user: str | None, forward: bool) -> Sequence[Query]:
    index = BY_VALUE if user is None else None
    shards = range(1, room.shards + 1)
    return [Query(keys.room_shard(room.name, shard), condition, index, forward) for shard in shards]


def room(name: str) -> Query:
    """A room's summary and metadata."""
    summary, metadata = keys.ROOM(name), keys.METADATA(name)
    return Query(summary.pk, Between(summary.sk, metadata.sk))


def room_users(name: str) -> Query:
    """The users who posted in a room: the edges that point at it."""
    return Query(keys.room(name), BeginsWith(keys.USERS.prefix), BY_TARGET)


def user_messages(user: str, start: Millis | None, end: Millis | None, *, forward: bool) -> Query:
    """A user's messages in all rooms from `start` on and before `end`, both optional."""
    return Query(keys.user(user), Between(*keys.messages_between(start, end)), BY_TARGET, forward)


def user_rooms(user: str) -> Query:
    """A user's summary, then the rooms the user posted in."""
    summary = keys.USER(user)
    return Query(summary.pk, BeginsWith(summary.sk))
