"""Access patterns of chat."""

from docs.patterns import example
from docs.patterns.pattern import Read, Write, directory_read
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.systems.chat import codec as chat_codec
from functions.systems.chat import keys as chat_keys
from functions.systems.chat import patterns as chat_patterns
from functions.systems.chat import rooms
from functions.systems.chat.entity import Message, Room

NOON = "2018-08-29T12:00:00.000Z"
AUGUST, SEPTEMBER = from_rfc_3339("2018-08-01T00:00:00.000Z"), from_rfc_3339("2018-09-01T00:00:00.000Z")
ROOM = Room.starting_with("seattle", 2)

_METADATA = chat_keys.METADATA("seattle")
_ROOM = {"room": "seattle"}
_MESSAGE = {"text": "hi", "message_id": "m1"}


def _room(table: Table) -> None:
    """A room of two shards with a message in each."""
    rooms.create(table, ROOM)
    messages = [Message("seattle", shard, "amsg", from_rfc_3339(NOON), f"m{shard}", "hi") for shard in (1, 2)]
    example.store(table, *map(chat_codec.message_item, messages))


READS = (
    Read(
        "a room's messages by user",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"user": "amsg"},
        [_METADATA, *chat_patterns.messages_during(ROOM, "", "amsg")],
        units=2.0,
        bound="1, and 1 per shard",
        given=_room,
    ),
    Read(
        "a room's messages by user and period",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"user": "amsg", "period": "2018-08"},
        [_METADATA, *chat_patterns.messages_during(ROOM, "2018-08", "amsg")],
        units=2.0,
        bound="1, and 1 per shard",
        given=_room,
    ),
    Read(
        "a room's messages by period",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"period": "2018-08"},
        [_METADATA, *chat_patterns.messages_during(ROOM, "2018-08", None)],
        units=2.0,
        bound="1, and 1 per shard",
        given=_room,
    ),
    Read(
        "a room's messages between two instants, newest first",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z", "order": "desc"},
        [_METADATA, *chat_patterns.messages_between(ROOM, AUGUST, SEPTEMBER, None, forward=False)],
        units=2.0,
        bound="1, and 1 per shard",
        given=_room,
    ),
    Read("a room's numbers", "GET /rooms/{room}", _ROOM, {}, [chat_patterns.room("seattle")], units=0.5, given=_room),
    Read(
        "who posted in a room",
        "GET /rooms/{room}/users",
        _ROOM,
        {},
        [chat_patterns.room_users("seattle")],
        units=0.5,
        given=_room,
    ),
    Read(
        "a user's numbers and rooms",
        "GET /users/{user}/rooms",
        {"user": "amsg"},
        {},
        [chat_patterns.user_rooms("amsg")],
        units=0.5,
        given=_room,
    ),
    directory_read("all rooms, by name", "GET /rooms", chat_keys.ROOMS, _room, "a new room"),
    Read(
        "a user's messages in all rooms, newest first",
        "GET /users/{user}/messages",
        {"user": "amsg"},
        {"from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [chat_patterns.user_messages("amsg", AUGUST, SEPTEMBER, forward=False)],
        units=0.5,
        given=_room,
        kept="1 for each message",
    ),
)

WRITES = (
    Write(
        "post a message",
        "POST /rooms/{room}/messages",
        _ROOM,
        {"messages": [{"text": "hi"}]},
        {"GetItem": 1, "BatchWriteItem": 1},
        "3 per message (the item and its entries in GSI1 and GSI2), 25 messages per request",
        given=_room,
        groups=(),
    ),
    Write(
        "import messages (`sent_at` given) with a `message_id`",
        "POST /rooms/{room}/messages",
        _ROOM,
        {"messages": [_MESSAGE | {"sent_at": NOON}]},
        {"GetItem": 1, "PutItem": 1},
        "3 per message, as above; one request each, because a batch can't have conditions",
        given=_room,
        groups=("import",),
    ),
    Write(
        "post a message with a `message_id`",
        "POST /rooms/{room}/messages",
        _ROOM,
        {"messages": [_MESSAGE]},
        {"GetItem": 1, "PutItem": 2},
        "4 per message: as above, and the item that remembers its first instant",
        given=_room,
    ),
    Write(
        "withdraw a message",
        "DELETE /rooms/{room}/messages/{id}",
        {"room": "seattle", "id": "m2"},
        None,
        {"GetItem": 2, "PutItem": 1},
        "3: its tombstone, which is billed for the whole message, and the removal of its entries in GSI1 and GSI2; "
        "the stream then takes it out of the numbers of its room and user",
        given=_room,
        groups=("admin",),
        query={"user": "amsg", "sent_at": NOON},
    ),
    Write(
        "widen a room",
        "PUT /rooms/{room}",
        _ROOM,
        {"shards": 4},
        {"GetItem": 1, "PutItem": 1},
        "1",
        given=_room,
        groups=("admin",),
    ),
)
