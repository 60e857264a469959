"""Rooms get more shards: on request, or automatically when their traffic is too much for the present shards."""

from functools import partial

from edgewise import Millis, Table
from edgewise.sharding import widening
from edgewise.times import SECOND
from functions.settings import HTTP_TIMEOUT_SECONDS
from functions.systems.chat import rooms
from functions.systems.chat.entity import Room

# Every request in flight when a widening is stored has ended when it takes effect.
LEAD = HTTP_TIMEOUT_SECONDS * SECOND


def widen(table: Table, name: str, shards: int, now: Millis) -> Room:
    """The room with this many shards; raises ShrinkRefusedError or ConcurrentChangeError."""
    room = rooms.find(table, name) or rooms.create(table, Room.starting_with(name, shards))
    return widening.widen(room, shards, now + LEAD, partial(rooms.replace, table))


def relieve(table: Table, room: Room, now: Millis) -> None:
    """Double the shards of a room whose partitions are too hot, unless it was just widened or has the maximum."""
    widening.relieve(table, room, now, LEAD, partial(rooms.replace, table))
