"""Items of chat: messages and the metadata of rooms."""

from collections.abc import Callable, Mapping
from typing import Any

from functions.domain.aggregates import AggregateId
from functions.domain.chat import Message, Room, Widening
from functions.domain.measures import Cell
from functions.domain.times import from_rfc_3339, rfc_3339
from functions.store import keys
from functions.store.attributes import Item, integer, key_item, n, s, string
from functions.store.codec.edges import edge


def message_item(message: Message) -> Item:
    """One message as an item, with the inverted template as its entry in the index by time."""
    key = keys.chat.message(message.room, message.shard, message.user, message.sent_at, message.id)
    return key_item(key) | {
        "Type": s("MESSAGE"),
        "Text": s(message.text),
        "GSI1PK": s(key.pk),
        "GSI1SK": s(keys.chat.message_by_time(message.user, message.sent_at, message.id)),
    }


def message(item: Item) -> Message:
    """The inverse of message_item."""
    room, shard, user, sent_at, message_id = keys.chat.parse_message(string(item["PK"]), string(item["SK"]))
    return Message(room, shard, user, sent_at, message_id, string(item["Text"]))


def room_item(room: Room) -> Item:
    """What is known of a room beside its numbers: the history of its shards."""
    return key_item(keys.chat.room_metadata(room.name)) | {
        "Type": s("ROOM_METADATA"),
        "Version": n(room.version),
        "History": {
            "L": [{"M": {"Since": s(rfc_3339(step.since)), "Shards": n(step.shards)}} for step in room.history]
        },
    }


def room(item: Item) -> Room:
    """The inverse of room_item."""
    history = (step["M"] for step in item["History"]["L"])
    steps = tuple(Widening(from_rfc_3339(string(step["Since"])), integer(step["Shards"])) for step in history)
    return Room(keys.nodes.node(string(item["PK"]))[0], steps, integer(item["Version"]))


def _by_room(aggregate_id: AggregateId, _: Mapping[str, Cell]) -> Item:
    user, room = map(str, aggregate_id.parts)
    return {"GSI2PK": s(keys.chat.room(room)), "GSI2SK": s(keys.chat.user(user))}


SOURCES: Mapping[str, Callable[[Item], Any]] = {"MESSAGE": message, "POSTED_IN": edge}
INDEXED: Mapping[str, Callable[[AggregateId, Mapping[str, Cell]], Item]] = {"POSTED_IN": _by_room}
