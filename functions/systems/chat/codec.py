"""Items of chat: messages and the metadata of rooms."""

from collections.abc import Mapping

from edgewise import AggregateId, Cell, Item, rfc_3339
from edgewise.dynamodb.attributes import key_item, key_of, s, string
from edgewise.sharding import codec as sharding
from edgewise.sharding.lists import Shard
from functions import directory
from functions.systems.chat import keys
from functions.systems.chat.entity import Message, Room


def message_item(message: Message) -> Item:
    """One message as an item, with entries in the index by value, by time in its shard, and among its user's."""
    key = keys.message(message.room, message.shard, message.user, message.sent_at, message.id)
    return key_item(key) | {
        "Type": s("MESSAGE"),
        "Text": s(message.text),
        "GSI1PK": s(key.pk),
        "GSI1SK": s(keys.message_by_time(message.user, message.sent_at, message.id)),
        "GSI2PK": s(keys.user(message.user)),
        "GSI2SK": s(keys.message_of_user(message.sent_at, message.room, message.id)),
    }


def message(item: Item) -> Message:
    """The inverse of message_item."""
    room, shard, user, sent_at, message_id = keys.parse_message(string(item["PK"]), string(item["SK"]))
    return Message(room, shard, user, sent_at, message_id, string(item["Text"]))


def shard(item: Item) -> Shard:
    """The shard of its room in which a message is, as its key says."""
    found = message(item)
    return Shard(keys.METADATA(found.room), found.shard)


def topics(item: Item) -> tuple[str]:
    """What subscribers to a room's messages subscribe to; raises ValueError for another kind of item."""
    return (keys.messages(message(item).room),)


def shown(message: Message) -> Mapping[str, str]:
    """A message as responses show it."""
    return {
        "message_id": message.id,
        "user": message.user,
        "sent_at": rfc_3339(message.sent_at),
        "text": message.text,
    }


def item_shown(item: Item) -> Mapping[str, str]:
    """A stored message as responses show it; raises ValueError for another kind of item."""
    return shown(message(item))


def room_item(room: Room) -> Item:
    """A room's metadata: the history of its shards. It lists the room, also one in which nobody has posted yet."""
    item = key_item(keys.METADATA(room.name)) | {"Type": s("ROOM_METADATA")} | sharding.attributes(room)
    return item | directory.index_keys(keys.ROOMS, room.name)


def room(item: Item) -> Room:
    """The inverse of room_item."""
    (name,) = keys.METADATA.parse(*key_of(item))
    return Room(name, sharding.history(item), sharding.version(item))


def by_room(aggregate_id: AggregateId, _: Mapping[str, Cell]) -> Item:
    """The key of the edge from a user to a room in the index by target."""
    user, room = map(str, aggregate_id.dimensions)
    return {"GSI2PK": s(keys.room(room)), "GSI2SK": s(keys.user(user))}
