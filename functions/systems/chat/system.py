"""Chat: messages in rooms, and their aggregates."""

from edgewise import BY_TARGET, BY_VALUE, COUNT, Extremal, Feed, FromSources, Indexed, Kind, Shared, Span
from edgewise.aggregates import edges
from edgewise.derived import InShards
from functions.owned import OWNER, Owned
from functions.searchable import Contents, searchable
from functions.system import ByHand, Live, Rights, System, partition_of
from functions.systems.chat import codec, keys, patterns, sources
from functions.systems.chat.entity import Message, of_posted_in, of_room, of_user


def words_of(message: Message) -> Contents:
    """What is searched of a message."""
    said_by = {"room": message.room, "user": message.user}
    return Contents((message.room, message.id), text=message.text, at=message.sent_at, attributes=said_by)


MESSAGE = Owned(
    type="MESSAGE",
    called="message",
    decode=codec.message,
    is_owner=codec.is_senders,
    withdrawn_by=(OWNER, "admin"),
)
MESSAGES = MESSAGE.source
POSTED_IN = Kind(
    name="POSTED_IN",
    rank=1,
    cells="messages of a user in a room; first, last",
    readable_by_all=True,
    feeds=(Feed(MESSAGES, of_posted_in),),
    key=keys.POSTED_IN,
    sources=sources.of_posted_in,
    parts=(
        Extremal(FromSources(sources.ends)),
        Indexed(codec.by_room),
        Span(COUNT),
    ),
)
_TO_ROOMS = POSTED_IN.source(edges.edge)
ROOM = Kind(
    name="ROOM",
    rank=3,
    cells="messages, distinct users",
    readable_by_all=True,
    feeds=(Feed(_TO_ROOMS, of_room),),
    key=keys.ROOM,
    sources=lambda reader, room: reader.read(patterns.room_users(room)),
    parts=(Shared(),),
)
USER = Kind(
    name="USER",
    rank=3,
    cells="messages, rooms",
    readable_by_all=True,
    feeds=(Feed(_TO_ROOMS, of_user),),
    key=keys.USER,
    sources=lambda reader, user: reader.read(patterns.user_rooms(user)),
)

NEW_MESSAGES = Live(
    lambda room, **_: keys.messages(room),
    {"MESSAGE": codec.topics},
    shown=codec.item_shown,
    named=codec.item_named,
)
ROOM_CHANGES = Live(lambda room, **_: keys.room(room), {"ROOM": partition_of})

SYSTEM = System(
    name="chat",
    rights=Rights(
        actions=("Query", "GetItem", "PutItem", "BatchWriteItem"),
        writes=(keys.ROOMS, keys.SHARDS, keys.MESSAGE_IDS),
        queried={BY_VALUE: (keys.SHARDS,), BY_TARGET: (keys.ROOMS, keys.USERS)},
    ),
    kinds=(POSTED_IN, ROOM, USER),
    by_hand=(
        ByHand("MESSAGE", codec.message, codec.message_item),
        ByHand("ROOM_METADATA", codec.room, codec.room_item),
    ),
    owned=(MESSAGE,),
    unindexed=("MESSAGE_GUARD",),
    shards={"MESSAGE": InShards(codec.shard)},
    unjudged={
        "MESSAGE_GUARD": "whether the message has its instant: it may have expired",
    },
    live=(NEW_MESSAGES, ROOM_CHANGES),
    searchable=(searchable("message", MESSAGES, keys.SHARDS, words_of, ("room", "user")),),
    directories=(keys.ROOMS,),
    why={
        (BY_VALUE, keys.SHARDS.name): "a room's messages by time; in the table they are by user",
        (BY_TARGET, keys.ROOMS.name): "the users who posted in a room: the key turned round",
        (BY_TARGET, keys.USERS.name): "a user's messages by time, whatever the room",
    },
)
