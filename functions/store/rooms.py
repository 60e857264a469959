"""A room's metadata: read with every request, because it says where the messages are."""

from functions.domain.entities import Room
from functions.domain.errors import ConcurrentChangeError
from functions.store import codec, keys
from functions.store.table import NotTheVersionError, Table


def find(table: Table, name: str) -> Room | None:
    """The room, or None if nobody has written to it or set it up yet."""
    item = table.get(keys.room_metadata(name))
    return codec.room(item) if item else None


def create(table: Table, room: Room) -> Room:
    """The new room, or the one that somebody else created meanwhile."""
    try:
        table.put_version(codec.room_item(room), replaces=0)
    except NotTheVersionError as refusal:
        if refusal.item is None:
            raise ConcurrentChangeError("room", room.name) from refusal
        return codec.room(refusal.item)
    return room


def replace(table: Table, room: Room) -> None:
    """Store the next version of a room; raises ConcurrentChangeError if another one was stored meanwhile."""
    try:
        table.put_version(codec.room_item(room), replaces=room.version - 1)
    except NotTheVersionError as refusal:
        raise ConcurrentChangeError("room", room.name) from refusal
