"""Chat: messages in rooms, and their aggregates."""

from functions.aggregates import edges
from functions.aggregates.keys import SUMMARY, summarized
from functions.aggregates.kinds import Feed, FromSources, Kind, Source
from functions.aggregates.measures import COUNT
from functions.derived import InShards, anew, in_no_index
from functions.dynamodb.keys import Key
from functions.dynamodb.schema import BY_TARGET, BY_VALUE
from functions.system import Live, Rights, Route, System, partition_of
from functions.systems.chat import codec, keys, patterns, sources
from functions.systems.chat.entity import of_posted_in, of_room, of_user

POST_MESSAGES = Route(
    "POST /rooms/{room}/messages",
    "Post messages; with a message_id or an Idempotency-Key, repeating a message changes nothing",
)
GET_MESSAGES = Route(
    "GET /rooms/{room}/messages", "A room's messages by user, by time or by both, in order across all shards"
)
PUT_ROOM = Route("PUT /rooms/{room}", "Create a room, or widen it while it is in use", group="admin")
GET_ROOMS = Route("GET /rooms", "All rooms, by name")
GET_ROOM = Route("GET /rooms/{room}", "A room's numbers", shows=("ROOM",))
GET_ROOM_USERS = Route("GET /rooms/{room}/users", "The users who posted in a room")
GET_USER_MESSAGES = Route("GET /users/{user}/messages", "A user's messages in all rooms, by instant")
GET_USER_ROOMS = Route(
    "GET /users/{user}/rooms", "A user's numbers and the rooms the user posted in", shows=("USER", "POSTED_IN")
)

MESSAGES = Source("MESSAGE", codec.message)
POSTED_IN = Kind(
    name="POSTED_IN",
    rank=1,
    cells="messages of a user in a room; first, last",
    readable_by_all=True,
    feeds=(Feed(MESSAGES, of_posted_in),),
    partitions=keys.USERS,
    key=keys.posted_in,
    parse=keys.parse_posted_in,
    sources=sources.of_posted_in,
    extremes=FromSources(sources.ends),
    index=codec.by_room,
    span=COUNT,
)
_TO_ROOMS = POSTED_IN.source(edges.edge)
ROOM = Kind(
    name="ROOM",
    rank=3,
    cells="messages, distinct users",
    readable_by_all=True,
    feeds=(Feed(_TO_ROOMS, of_room),),
    shared=True,
    partitions=keys.ROOMS,
    key=lambda room: Key(keys.room(room), SUMMARY),
    parse=summarized,
    sources=lambda reader, room: reader.read(patterns.room_users(room)),
    extremes=None,
)
USER = Kind(
    name="USER",
    rank=3,
    cells="messages, rooms",
    readable_by_all=True,
    feeds=(Feed(_TO_ROOMS, of_user),),
    partitions=keys.USERS,
    key=lambda user: Key(keys.user(user), SUMMARY),
    parse=summarized,
    sources=lambda reader, user: reader.read(patterns.user_rooms(user)),
    extremes=None,
)

SYSTEM = System(
    name="chat",
    routes=(
        POST_MESSAGES,
        GET_MESSAGES,
        PUT_ROOM,
        GET_ROOMS,
        GET_ROOM,
        GET_ROOM_USERS,
        GET_USER_ROOMS,
        GET_USER_MESSAGES,
    ),
    rights=Rights(
        actions=("Query", "GetItem", "PutItem", "BatchWriteItem"),
        writes=(keys.ROOMS, keys.SHARDS, keys.MESSAGE_IDS),
        queried={BY_VALUE: (keys.SHARDS,), BY_TARGET: (keys.ROOMS, keys.USERS)},
    ),
    kinds=(POSTED_IN, ROOM, USER),
    anew={
        "MESSAGE": anew(codec.message, codec.message_item),
        "ROOM_METADATA": anew(codec.room, codec.room_item),
        "MESSAGE_GUARD": in_no_index,
    },
    shards={"MESSAGE": InShards(codec.shard)},
    unjudged={
        "MESSAGE_GUARD": "whether the message has its instant: it may have expired",
    },
    live=(
        Live(GET_MESSAGES, lambda room, **_: keys.messages(room), {"MESSAGE": codec.topics}, shown=codec.item_shown),
        Live(GET_ROOM, lambda room, **_: keys.room(room), {"ROOM": partition_of}),
    ),
    directories=(keys.ROOMS,),
)
