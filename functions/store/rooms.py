"""A room's metadata: read with every request, because it says where the messages are."""

from collections.abc import Mapping

from functions.domain.chat import Room
from functions.domain.errors import ConcurrentChangeError
from functions.domain.measures import Cell
from functions.store import codec, keys, nodes, patterns
from functions.store.decoding import decoded
from functions.store.table import RefusedError, Table


def find(table: Table, name: str) -> Room | None:
    """The room, or None if nobody has written to it or set it up yet."""
    item = table.get(keys.chat.room_metadata(name))
    return decoded(codec.chat.room, item) if item else None


def create(table: Table, room: Room) -> Room:
    """The new room, or the one that somebody else created meanwhile."""
    try:
        table.put_version(codec.chat.room_item(room), replaces=0)
    except RefusedError as refusal:
        if refusal.item is None:
            raise ConcurrentChangeError("room", room.name) from refusal
        return decoded(codec.chat.room, refusal.item)
    return room


def replace(table: Table, room: Room) -> None:
    """Store the next version of a room; raises ConcurrentChangeError if another one was stored meanwhile."""
    try:
        table.put_version(codec.chat.room_item(room), replaces=room.version - 1)
    except RefusedError as refusal:
        raise ConcurrentChangeError("room", room.name) from refusal


def with_summary(table: Table, name: str) -> tuple[Room | None, Mapping[str, Cell]]:
    """The room and its numbers, in one query."""
    members, found = nodes.whole(table, patterns.chat.room(name), codec.chat.room)
    numbers = next((member.cells for member in members), {})
    return next(iter(found), None), numbers
