"""Rooms get more shards: on request, or automatically when their traffic is too much for the present shards."""

from aws_lambda_powertools.metrics import MetricUnit

from functions.dynamodb.table import Table
from functions.errors import ConcurrentChangeError, ShrinkRefusedError
from functions.observability import logger, metrics
from functions.settings import HTTP_TIMEOUT_SECONDS
from functions.systems.chat import rooms
from functions.systems.chat.entity import Room
from functions.times import SECOND, Millis

# Every request in flight when a widening is stored has ended when it takes effect.
LEAD = HTTP_TIMEOUT_SECONDS * SECOND
# The time that a throttled request may still spend on the widening.
RELIEF_SECONDS = 1


def widen(table: Table, name: str, shards: int, now: Millis) -> Room:
    """The room with this many shards; raises ShrinkRefusedError or ConcurrentChangeError."""
    room = rooms.find(table, name) or rooms.create(table, Room.starting_with(name, shards))
    if shards < room.shards:
        raise ShrinkRefusedError(room.shards, shards)
    if shards > room.shards:
        room = room.widened(shards, since=now + LEAD)
        rooms.replace(table, room)
    return room


def relieve(table: Table, room: Room, now: Millis) -> None:
    """Double the shards of a room whose partitions are too hot, unless it was just widened or has the maximum.

    A concurrent widening by another request is enough. Raises ThrottledError; the next throttled request tries again.
    """
    wider = room.doubled(now, since=now + LEAD)
    if wider is None:
        return
    table.allow(RELIEF_SECONDS)
    try:
        rooms.replace(table, wider)
    except ConcurrentChangeError:
        return
    logger.warning("widened", room=room.name, shards=wider.shards)
    metrics.add_metric("RoomsWidened", MetricUnit.Count, 1)
