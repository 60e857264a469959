"""Every read of the project as a named value: which index, which key condition."""

from collections.abc import Sequence

from functions.domain.entities import Room
from functions.domain.places import Place
from functions.domain.times import Millis
from functions.store import keys
from functions.store.queries import BeginsWith, Between, Condition, Query
from functions.store.schema import BY_TARGET, BY_VALUE


def device(device_id: str) -> Query:
    """A device's summary, then the places it reported from."""
    return Query(keys.device(device_id), BeginsWith(keys.EDGES))


def device_events(device_id: str, after: Millis | None, before: Millis | None, *, forward: bool = True) -> Query:
    """A device's readings strictly after and strictly before two instants, each optional."""
    low = keys.EVENTS if after is None else keys.event_time(after + 1)
    high = keys.EVENTS_END if before is None else keys.event_time(before)
    return Query(keys.device(device_id), Between(low, high), forward=forward)


def rollups(device_id: str, grain: str, first_block: Millis, last_block: Millis) -> Query:
    """The blocks of rollups that begin between two instants, both included."""
    low, high = (keys.rollup(device_id, grain, block).sk for block in (first_block, last_block))
    return Query(keys.device(device_id), Between(low, high))


def messages_during(room: Room, period: str, user: str | None, *, forward: bool = True) -> Sequence[Query]:
    """A room's messages of a period (empty: ever): of one user through the table, of all through the index by time."""
    return _messages(room, BeginsWith(keys.messages_during(period, user)) if period or user else None, user, forward)


def messages_between(
    room: Room, start: Millis | None, end: Millis | None, user: str | None, *, forward: bool = True
) -> Sequence[Query]:
    """A room's messages from `start` on and before `end`, each optional, in the same two ways."""
    return _messages(room, Between(*keys.messages_between(start, end, user)), user, forward)


def _messages(room: Room, condition: Condition, user: str | None, forward: bool) -> Sequence[Query]:
    index = BY_VALUE if user is None else None
    shards = range(1, room.shards + 1)
    return [Query(keys.room_shard(room.name, shard), condition, index, forward) for shard in shards]


def room(name: str) -> Query:
    """A room's summary and metadata: its whole item collection is these two."""
    return Query(keys.room(name))


def room_users(name: str) -> Query:
    """Who posted in a room: the edges that point at it."""
    return Query(keys.room(name), BeginsWith(keys.prefix("USER")), BY_TARGET)


def user_rooms(user: str) -> Query:
    """A user's summary, then the rooms the user posted in."""
    return Query(keys.user(user), BeginsWith(keys.EDGES))


def place(path: Place) -> Query:
    """A place's summary, then what it contains directly, then the devices that reported from here or below."""
    return Query(keys.place(path), BeginsWith(keys.EDGES))
