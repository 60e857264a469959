"""Every access pattern with an example: what docs/access-patterns.md shows and tests/docs compares with the real code.

The examples' key conditions are built by functions.store.patterns; the test calls each route with its example and
demands that exactly these requests reach DynamoDB.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from functions.domain.entities import Room
from functions.domain.times import DAY, from_rfc_3339
from functions.store import keys, patterns
from functions.store.keys import Key
from functions.store.queries import Query
from functions.store.schema import INDEXES

ROOM = Room.starting_with("seattle", 2)
NOON, LATER = "2018-08-29T12:00:00.000Z", "2018-09-04T01:00:00.000Z"
AUGUST, SEPTEMBER = from_rfc_3339("2018-08-01T00:00:00.000Z"), from_rfc_3339("2018-09-01T00:00:00.000Z")


@dataclass(frozen=True)
class Read:
    """A read route, an example of its use, and the requests it sends."""

    question: str
    route: str
    path: dict[str, str]
    query: dict[str, str]
    requests: Sequence[Query | Key]


@dataclass(frozen=True)
class Write:
    """A write route and what it sends, in words, with the write units of small items."""

    what: str
    route: str
    requests: str
    units: str


_METADATA = keys.room_metadata("seattle")
_DEVICE = {"device": "123"}
_ROOM = {"room": "seattle"}

READS = (
    Read("a device's numbers and places", "GET /devices/{device}", _DEVICE, {}, [patterns.device("123")]),
    Read(
        "a device's readings after an instant (`>`)",
        "GET /devices/{device}/events",
        _DEVICE,
        {"after": NOON},
        [patterns.device_events("123", from_rfc_3339(NOON), None)],
    ),
    Read(
        "a device's readings before an instant (`<`), newest first",
        "GET /devices/{device}/events",
        _DEVICE,
        {"before": LATER, "order": "desc"},
        [patterns.device_events("123", None, from_rfc_3339(LATER), forward=False)],
    ),
    Read(
        "a device's readings between two instants",
        "GET /devices/{device}/events",
        _DEVICE,
        {"after": NOON, "before": LATER},
        [patterns.device_events("123", from_rfc_3339(NOON), from_rfc_3339(LATER))],
    ),
    Read(
        "a metric by hour or by day",
        "GET /devices/{device}/rollups",
        _DEVICE,
        {"metric": "temp", "grain": "day", "from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [patterns.rollups("123", "DAY", AUGUST, SEPTEMBER - DAY)],
    ),
    Read(
        "a room's messages by user",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"user": "amsg"},
        [_METADATA, *patterns.messages_during(ROOM, "", "amsg")],
    ),
    Read(
        "a room's messages by user and period",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"user": "amsg", "period": "2018-08"},
        [_METADATA, *patterns.messages_during(ROOM, "2018-08", "amsg")],
    ),
    Read(
        "a room's messages by period",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"period": "2018-08"},
        [_METADATA, *patterns.messages_during(ROOM, "2018-08", None)],
    ),
    Read(
        "a room's messages between two instants, newest first",
        "GET /rooms/{room}/messages",
        _ROOM,
        {"from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z", "order": "desc"},
        [_METADATA, *patterns.messages_between(ROOM, AUGUST, SEPTEMBER, None, forward=False)],
    ),
    Read("a room's numbers", "GET /rooms/{room}", _ROOM, {}, [patterns.room("seattle")]),
    Read("who posted in a room", "GET /rooms/{room}/users", _ROOM, {}, [patterns.room_users("seattle")]),
    Read("a user's numbers and rooms", "GET /users/{user}/rooms", {"user": "amsg"}, {}, [patterns.user_rooms("amsg")]),
    Read(
        "a place's numbers, children and devices",
        "GET /places",
        {},
        {"path": "US/New York"},
        [patterns.place(("US", "New York"))],
    ),
)

WRITES = (
    Write("store readings", "POST /telemetry", "one `BatchWriteItem` for 25 readings", "1 a reading"),
    Write(
        "import messages (`sent_at` given)",
        "POST /rooms/{room}/messages",
        "one `GetItem` (the room), one `BatchWriteItem` for 25 messages",
        "2 a message: the item and its entry in GSI1",
    ),
    Write(
        "post a message with a `message_id`",
        "POST /rooms/{room}/messages",
        "as above, and one conditional `PutItem` a message that remembers its first instant",
        "3 a message",
    ),
    Write("set a room up or widen it", "PUT /rooms/{room}", "one `GetItem`, one conditional `PutItem`", "1"),
)


def markdown() -> str:
    """The document."""
    return "\n".join([*_HEAD, *_indexes(), *_READ_HEAD, *map(_read, READS), *_WRITE_HEAD, *map(_write, WRITES), ""])


_HEAD = (
    "# Access patterns",
    "",
    "<!-- Made by `make docs`; a test compares it with the requests the code really sends. -->",
    "",
    "One table, three overloaded indexes. An eventually consistent `Query` costs half a read unit for each 4 KB read,",
    "`GetItem` of a room's metadata one unit. Every answer says what it consumed (`x-consumed-requests`,",
    "`x-consumed-read-units`, `x-consumed-write-units`). Sharded rooms are read by one query a shard, in parallel,",
    "merged in order (the examples show a room with two shards). `$` begins an escape: `$20` is a space.",
    "",
    "| index | partition key | sort key | meaning | projects |",
    "|---|---|---|---|---|",
    "| (table) | `PK` | `SK` | an entity and everything about it | all |",
)
_READ_HEAD = ("", "## Reads", "", "| question | route | requests | key condition of the example |", "|---|---|---|---|")
_WRITE_HEAD = ("", "## Writes", "", "| what | route | requests | write units (items up to 1 KB) |", "|---|---|---|---|")


def _indexes() -> list[str]:
    return [
        f"| {index.name} | `{index.partition_key}` | `{index.sort_key}` ({index.sort_type}) | {index.meaning} | "
        f"{', '.join(('keys', *index.projected))} |"
        for index in INDEXES
    ]


def _read(read: Read) -> str:
    parameters = "".join(f" `{name}={value}`" for name, value in read.query.items())
    conditions = "<br>".join(map(_condition, read.requests))
    return f"| {read.question} | `{read.route}`{parameters} | {_count(read.requests)} | {conditions} |"


def _count(requests: Sequence[Query | Key]) -> str:
    shards = len(requests) - 1
    return f"1 + {shards} (one a shard)" if shards else "1"


def _condition(request: Query | Key) -> str:
    if isinstance(request, Key):
        return f"`PK = {request.pk}`, `SK = {request.sk}`"
    sent = request.request()
    text = sent["KeyConditionExpression"]
    for placeholder, name in sent["ExpressionAttributeNames"].items():
        text = text.replace(placeholder, name)
    for placeholder, value in sent["ExpressionAttributeValues"].items():
        text = text.replace(placeholder, value["S"])
    index = f" on {sent['IndexName']}" if "IndexName" in sent else ""
    order = "" if sent["ScanIndexForward"] else ", backwards"
    return f"`{text}`{index}{order}"


def _write(write: Write) -> str:
    return f"| {write.what} | `{write.route}` | {write.requests} | {write.units} |"
