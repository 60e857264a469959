"""Access patterns of operations."""

from decimal import Decimal

from docs.patterns import example
from docs.patterns.pattern import BatchGet, Read, Write
from edgewise.aggregates import keys
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.schema import BY_TARGET
from edgewise.dynamodb.table import Table
from edgewise.stream import incomplete, incomplete_patterns, quarantine_keys
from edgewise.times import from_rfc_3339
from functions import directory
from functions.systems.chat import codec
from functions.systems.chat.entity import Message
from functions.systems.chat.system import POSTED_IN, ROOM
from functions.systems.checks import patterns as checks_patterns
from functions.systems.operations.listed import LISTED
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from functions.systems.orders.system import CUSTOMER

_AT = from_rfc_3339("2018-08-29T12:00:00.000Z")
_ADMIN = ("admin",)
_ABOUT = POSTED_IN("amy", "seattle")
_POSTED = example.stored(*(codec.message_item(Message("seattle", 1, "amy", _AT, f"m{n}", "hi")) for n in range(3)))


def _noted(table: Table) -> None:
    incomplete.note(table, ROOM("seattle"), "no invocation took its changes for 23 hours")


READS = (
    Read(
        "what the application does",
        "GET /overview",
        {},
        {},
        [quarantine_keys.REGISTER, incomplete_patterns.NOTES, checks_patterns.RUNS],
        1.5,
        _noted,
        bound="1 more for the last check that was done",
    ),
    Read(
        "what moved last",
        "GET /recent",
        {},
        {},
        [*(directory.entries(kind.partitions) for kind in LISTED), BatchGet([keys.of(CUSTOMER("Padma"))])],
        1.0,
        example.stored(ORDER.encode(Order("Padma", "o1", _AT, Decimal(9)), 1)),
        bound="fewer of a large directory",
    ),
    Read(
        "whether numbers are exact, a step at a time",
        "GET /exactness",
        {},
        {},
        [directory.entries(kind.partitions) for kind in LISTED],
        0,
        bound="and the sources of at most ten numbers, until 250 read units or two seconds are used up",
    ),
    Read("how everything lies in the table", "GET /table", {}, {}, [], 0, groups=_ADMIN),
    Read(
        "the items of a partition, with their index entries",
        "GET /table/partition",
        {},
        {"pk": "USER#amy"},
        [Query("USER#amy")],
        0.5,
        _POSTED,
        groups=_ADMIN,
    ),
    Read(
        "the entries of a partition of an index",
        "GET /table/index",
        {},
        {"name": "GSI2", "pk": "ROOM#seattle"},
        [Query("ROOM#seattle", index=BY_TARGET)],
        0.5,
        _POSTED,
        groups=_ADMIN,
    ),
    Read("all kinds of aggregates", "GET /aggregates/kinds", {}, {}, [], 0),
    Read(
        "one aggregate opened up",
        "GET /aggregates",
        {},
        {"kind": "POSTED_IN", "dimensions": '["amy","seattle"]'},
        [keys.of(_ABOUT)],
        1,
        _POSTED,
        bound="more for continuations, partial aggregates, and what another aggregate has not passed on",
    ),
    Read(
        "the aggregates that lack something",
        "GET /aggregates/incomplete",
        {},
        {},
        [incomplete_patterns.NOTES],
        0.5,
        _noted,
        groups=_ADMIN,
    ),
)
WRITES = (
    Write(
        "count an aggregate anew, and those below it",
        "POST /aggregates/count",
        {},
        {"kind": "POSTED_IN", "dimensions": ["amy", "seattle"]},
        {"GetItem": 2, "Query": 1},
        "none: it reads every source once, strongly consistent",
        _POSTED,
        groups=_ADMIN,
    ),
)
