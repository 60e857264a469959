"""Finds the messages that a user's edge to a room counts, and recounts its first and last instant."""

from collections.abc import Iterator, Sequence

from edgewise import Item, Query, Read, Reader, Table
from edgewise.aggregates.recounts.declaration import both_ends
from functions.systems.chat import codec, keys, patterns
from functions.systems.chat.entity import Room


def of_posted_in(reader: Reader, user: str, room: str) -> Iterator[Item]:
    """A user's messages in a room."""
    return reader.read(*_shards(reader.table, user, room))


def ends(table: Table, user: str, room: str) -> Iterator[Read]:
    """Each shard from both ends; if the room is widened in the meantime, the new shards come at the end."""
    for shard in _shards(table, user, room):
        yield from both_ends(shard, 1)


def _shards(table: Table, user: str, name: str) -> Sequence[Query]:
    item = table.get(keys.METADATA(name))
    room = codec.room(item) if item else Room.starting_with(name, 1)
    return patterns.messages_during(room, "", user)
