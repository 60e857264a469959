"""Items of chat: messages and the metadata of rooms."""

from collections.abc import Mapping

from edgewise import AggregateId, Cell, Item, Millis, rfc_3339
from edgewise.dynamodb.attributes import key_item, key_of, s, string
from edgewise.sharding import codec as sharding
from edgewise.sharding.lists import Shard
from functions import directory
from functions.owned import Person
from functions.systems.chat import keys
from functions.systems.chat.entity import Message, Room


def message_item(message: Message) -> Item:
    """One message as an item, with entries in the index by value, by time in its shard, and among its user's."""
    key = keys.message(message.room, message.shard, message.user, message.sent_at, message.id)
    item = key_item(key) | {
        "Type": s("MESSAGE"),
        "Text": s(message.text),
        "GSI1PK": s(key.pk),
        "GSI1SK": s(keys.message_by_time(message.user, message.sent_at, message.id)),
        "GSI2PK": s(keys.user(message.user)),
        "GSI2SK": s(keys.message_of_user(message.sent_at, message.room, message.id)),
    }
    return item | {"Sender": s(message.sender)} if message.sender else item


def message(item: Item) -> Message:
    """The inverse of message_item."""
    return Message(*_parsed(item), string(item["Text"]), _sender(item))


def is_senders(item: Item, person: Person) -> bool:
    """Whether a person has sent a message; of one that an earlier release stored, nobody knows."""
    return _sender(item) == person.sub


def shard(item: Item) -> Shard:
    """The shard of its room in which a message is, as its key says."""
    room_name, number, *_ = _parsed(item)
    return Shard(keys.METADATA(room_name), number)


def topics(item: Item) -> tuple[str]:
    """What subscribers to a room's messages subscribe to; raises ValueError for another kind of item."""
    return (keys.messages(_parsed(item)[0]),)


def shown(message: Message) -> Mapping[str, str]:
    """A message as responses show it."""
    return {**_named(message.user, message.sent_at, message.id), "text": message.text}


def item_shown(item: Item) -> Mapping[str, str]:
    """A stored message as responses show it; raises ValueError for another kind of item."""
    return shown(message(item))


def item_named(item: Item) -> Mapping[str, str]:
    """What names a stored message, withdrawn or not, in responses; raises ValueError for another kind of item."""
    return _named(*_parsed(item)[2:])


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


def _parsed(item: Item) -> tuple[str, int, str, Millis, str]:
    """Room, shard, user, instant and id of a message, which its key says."""
    return keys.parse_message(string(item["PK"]), string(item["SK"]))


def _sender(item: Item) -> str:
    return string(item["Sender"]) if "Sender" in item else ""


def _named(user: str, sent_at: Millis, message_id: str) -> Mapping[str, str]:
    return {"message_id": message_id, "user": user, "sent_at": rfc_3339(sent_at)}
