"""Rooms get more shards: because somebody says so, or by themselves because there is too much for those they have."""

from aws_lambda_powertools.metrics import MetricUnit

from functions.dynamodb.table import Table
from functions.errors import ConcurrentChangeError, ShrinkRefusedError
from functions.observability import logger, metrics
from functions.settings import HTTP_TIMEOUT_SECONDS
from functions.systems.chat import rooms
from functions.systems.chat.entity import Room
from functions.times import SECOND, Millis

# No request that is under way when a widening is stored still runs when it begins to count.
LEAD = HTTP_TIMEOUT_SECONDS * SECOND
# What a request that was throttled may still spend on the widening.
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
    """Double the shards of a room whose messages met too hot keys, unless it has just been done, or often enough.

    If somebody else has widened it meanwhile, that is enough. Raises ThrottledError; the next such request tries again.
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
