"""A room's metadata, which every request reads, because it determines where the messages are."""

from collections.abc import Mapping

from edgewise import Cell, ConcurrentChangeError, RefusedError, Table, created, decoded
from edgewise.aggregates import collections
from functions.systems.chat import codec, keys, patterns
from functions.systems.chat.entity import Room
from functions.systems.chat.system import ROOM


def find(table: Table, name: str) -> Room | None:
    """The room, or None if nobody has written to it or set it up yet."""
    item = table.get(keys.METADATA(name))
    return decoded(codec.room, item) if item else None


def create(table: Table, room: Room) -> Room:
    """The new room, or the one that another caller has created in the meantime."""
    return created(table, codec.room_item(room), codec.room, "room", room.name) or room


def replace(table: Table, room: Room) -> None:
    """Store the next version of a room; raises ConcurrentChangeError if another version was stored in the meantime."""
    try:
        table.put_version(codec.room_item(room), replaces=room.version - 1)
    except RefusedError as refusal:
        raise ConcurrentChangeError("room", room.name) from refusal


def with_summary(table: Table, name: str) -> tuple[Room | None, Mapping[str, Cell]]:
    """The room and its numbers, in one query."""
    members, found = collections.whole(table, (ROOM,), patterns.room(name), codec.room)
    numbers = next((member.cells for member in members), {})
    return next(iter(found), None), numbers
