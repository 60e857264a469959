"""What DynamoDB refuses, asked of every engine: each request is an error that repeating it does not mend.

DynamoDB Local is the reference, except where the documentation is stricter. `OTHERWISE` names what an engine does
otherwise; its test fails as soon as the engine is mended.
"""

from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError

from edgewise.dynamodb.attributes import Item, key_of, n, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import BeginsWith, Between, Equals, Query
from edgewise.dynamodb.schema import BY_NUMBER, BY_VALUE
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Check, Condition, Delete, Put
from edgewise.failures import is_passing

Ask = Callable[[Table], object]
# Of the developer guide's page on quotas.
ITEM, PARTITION_KEY, SORT_KEY, NAME, LEVELS = 400 * 1024, 2048, 1024, 65535, 32


def item(pk: str = "p", sk: str = "s", /, **more: Any) -> Item:
    return {"PK": s(pk), "SK": s(sk), **more}


def of_bytes(size: int) -> Item:
    return item(Text=s("x" * (size - len("PKpSKsText"))))


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "x"}
    for level in range(levels - 1):
        value = {"L": [value]} if level % 2 else {"M": {"m": value}}
    return value


def number(text: str) -> Item:
    return item(A={"N": text})


# Each by what is wrong with it.
KEYS = {
    "an empty partition key": Key("", "s"),
    "an empty sort key": Key("p", ""),
    "a partition key too long": Key("p" * (PARTITION_KEY + 1), "s"),
    "a partition key too long in UTF-8": Key("é" * (PARTITION_KEY // 2) + "p", "s"),
    "a sort key too long": Key("p", "s" * (SORT_KEY + 1)),
}
ITEMS = {name: item(*key) for name, key in KEYS.items()} | {
    "too large": of_bytes(ITEM + 1),
    "no sort key": {"PK": s("p")},
    "a number as sort key": {"PK": s("p"), "SK": n(1)},
    "an empty key of an index": item(GSI1PK=s("")),
    "an empty sort key of an index": item(GSI2PK=s("x"), GSI2SK=s("")),
    "a key of an index too long": item(GSI1PK=s("x" * (PARTITION_KEY + 1))),
    "a sort key of an index too long": item(GSI1SK=s("x" * (SORT_KEY + 1))),
    "a number as key of an index": item(GSI1PK=n(1)),
    "a text as number of an index": item(GSI3PK=s("x"), GSI3SK=s("1")),
    "an empty set": item(A={"SS": []}),
    "an empty set of numbers": item(A={"NS": []}),
    "an empty set of bytes": item(A={"BS": []}),
    "a text twice in a set": item(A={"SS": ["a", "b", "a"]}),
    "a number twice in a set": item(A={"NS": ["1", "1.0"]}),
    "bytes twice in a set": item(A={"BS": [b"a", b"a"]}),
    "an empty number": number(""),
    "no number": number("NaN"),
    "39 digits": number("1" * 39),
    "39 digits, most of them after the point": number("-1." + "1" * 38),
    "39 digits in a map": item(A={"M": {"x": {"N": "1" * 39}}}),
    "a number too great": number("1e126"),
    "a number too small": number("1e-131"),
    "levels too many": item(A=nested(LEVELS + 1)),
    "an attribute without a name": item(**{"": s("x")}),
    "a member without a name": item(A={"M": {"": s("x")}}),
    "a name too long": item(**{"a" * (NAME + 1): s("x")}),
    "a member's name too long": item(A={"M": {"a" * (NAME + 1): s("x")}}),
}
STORED = item("q", Version=n(1))


OTHER = item("other")
STORE: dict[str, Callable[[Table, Item], object]] = {
    "put": lambda table, item: table.write(Put(item)),
    "batch": lambda table, item: table.put_many([OTHER, item]),
    "transaction": lambda table, item: table.transact([Put(OTHER), Put(item)]),
}
LOOK_UP: dict[str, Callable[[Table, Key], object]] = {
    "get": lambda table, key: table.get(key),
    "get many": lambda table, key: table.get_many([Key("p", "1"), key]),
    "delete": lambda table, key: table.write(Delete(key, Condition.PRESENT)),
    "delete in a transaction": lambda table, key: table.transact([Delete(key)]),
    "check in a transaction": lambda table, key: table.transact([Check(key, Condition.ABSENT)]),
}
LOOKUPS = {
    "of an empty partition": Query(""),
    "of an empty partition of an index": Query("", index=BY_VALUE),
    "begins with nothing": Query("p", BeginsWith("")),
    "equals nothing": Query("p", Equals("")),
    "from nothing": Query("p", Between("", "x")),
    "consistent in an index": Query("p", index=BY_VALUE, consistent=True),
}
QUERIES = {
    "of a partition too long": Query("p" * (PARTITION_KEY + 1)),
    "begins with too much": Query("p", BeginsWith("x" * (SORT_KEY + 1))),
    "up to too much": Query("p", Between("x", "x" * (SORT_KEY + 1))),
    "from high to low": Query("p", Between("b", "a")),
    "from high to low by number": Query("p", Between(10, 9), BY_NUMBER),
    "a number for a text": Query("p", Between(1, 2)),
    "a text for a number": Query("p", Between("1", "2"), BY_NUMBER),
    "a text that equals a number": Query("p", Equals("1"), BY_NUMBER),
    "a number that begins with a text": Query("p", BeginsWith("1"), BY_NUMBER),
    "39 digits": Query("p", Between(0, int("1" * 39)), BY_NUMBER),
    "limit 0": Query("p", limit=0),
    "after what does not begin so": Query("p", BeginsWith("b"), after={"PK": "p", "SK": "a"}),
    "after the range": Query("p", Between("b", "c"), after={"PK": "p", "SK": "d"}),
    "before the range": Query("p", Between("b", "c"), after={"PK": "p", "SK": "a"}),
    "after the range of numbers": Query(
        "p", Between(2, 9), BY_NUMBER, after={"PK": "p", "SK": "s", "GSI3PK": "p", "GSI3SK": "10"}
    ),
    "after a part of a key": Query("p", after={"PK": "p"}),
    "after a key of the index alone": Query("p", index=BY_VALUE, after={"GSI1PK": "p", "GSI1SK": "s"}),
    "after a position in an index": Query("p", after={"PK": "p", "SK": "s", "GSI1PK": "p", "GSI1SK": "s"}),
    "after an empty key": Query("p", after={"PK": "p", "SK": ""}),
}
LARGE = [item("p", str(number), Text=s("x" * 400_000)) for number in range(11)]


def check_large(table: Table) -> None:
    """Together with those written, the items that are checked have a limit of 4 MB."""
    table.put_many(LARGE)
    table.transact([Check(key_of(each), Condition.PRESENT) for each in LARGE])


REQUESTS: dict[str, Ask] = {
    "nothing in a transaction": lambda table: table.transact([]),
    "101 actions in a transaction": lambda table: table.transact([Put(item("p", f"{each}")) for each in range(101)]),
    "two writes of one item": lambda table: table.transact([Put(STORED), Delete(key_of(STORED))]),
    "a write and a check of one item": lambda table: table.transact(
        [Put(STORED), Check(key_of(STORED), Condition.ABSENT)]
    ),
    "4 MB in a transaction": lambda table: table.transact([Put(each) for each in LARGE]),
    "4 MB checked in a transaction": check_large,
    "an item twice in a batch": lambda table: table.put_many([STORED, item("o"), STORED]),
    "a key twice in a batch": lambda table: table.get_many([key_of(STORED), Key("o", "s"), key_of(STORED)]),
    "an item too large, whatever the condition": lambda table: table.write(Put(of_bytes(ITEM + 1), Condition.PRESENT)),
    "half of a surrogate pair": lambda table: table.write(Put(item(A=s("\ud83d")))),
}


def cases() -> Iterator[tuple[str, Ask]]:
    """Everything that is refused, by a name."""
    for way, store in STORE.items():
        yield from ((f"{way}: {name}", partial(_on, store, wrong)) for name, wrong in ITEMS.items())
    for way, look_up in LOOK_UP.items():
        yield from ((f"{way}: {name}", partial(_on, look_up, key)) for name, key in KEYS.items())
    yield from ((f"lookup: {name}", partial(_on, _query, query)) for name, query in LOOKUPS.items())
    yield from ((f"query: {name}", partial(_on, _query, query)) for name, query in QUERIES.items())
    yield from ((f"request: {name}", request) for name, request in REQUESTS.items())


def _on(ask: Callable[[Table, Any], object], wrong: Any, table: Table) -> object:
    return ask(table, wrong)


def _query(table: Table, query: Query) -> object:
    return table.query(query)


CASES = dict(cases())
OTHERWISE = {
    "moto": {
        "query: *": "moto looks neither at a query's bounds nor at where it begins",
        "*: 400 KB": "moto takes a byte less",
        "request: 4 MB checked in a transaction": "tests.support.strict does not know what is checked",
    },
    "dynamodb-local": {
        "query: of a partition too long": "it finds nothing; the guide limits partition keys, wherever they are",
        "request: a write and a check of one item": "it looks at the condition first; the API reference forbids both",
        "request: 4 MB checked in a transaction": "it counts what is written; the API reference says, all items",
        "request: half of a surrogate pair": "it is no UTF-8, which texts are in the guide",
    },
    "memory": {},
}


@pytest.fixture
def known(request: pytest.FixtureRequest) -> None:
    """The engine is known to do otherwise."""
    engine, case = request.node.callspec.params["engine"], request.node.callspec.params["case"]
    for pattern, reason in OTHERWISE[engine].items():
        if fnmatch(case, pattern):
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("case", CASES)
def test_is_refused(case: str, table: Table) -> None:
    with pytest.raises(ClientError) as refusal:
        CASES[case](table)
    assert not is_passing(refusal.value)
    assert table.get(key_of(OTHER)) is None


LIMITS = {
    "400 KB": of_bytes(ITEM),
    "the longest keys": item("é" * (PARTITION_KEY // 2), "s" * SORT_KEY),
    "the longest keys of an index": item(GSI1PK=s("x" * PARTITION_KEY), GSI1SK=s("x" * SORT_KEY)),
    "one key of an index": item(GSI3PK=s("x")),
    "38 digits": number("-0." + "9" * 38),
    "38 digits and zeros": number("1" * 38 + "000"),
    "the greatest number": number("9" * 38 + "0" * 88),
    "the smallest number": number("0." + "0" * 129 + "1"),
    "32 levels": item(A=nested(LEVELS)),
    "the longest name": item(**{"a" * NAME: s("x")}),
    "nothing in a text": item(A=s(""), B={"B": b""}, L={"L": []}, M={"M": {}}, SS={"SS": [""]}),
}


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("case", [f"{way}: {name}" for way in STORE for name in LIMITS])
def test_what_is_just_within_the_limits_is_stored(case: str, table: Table) -> None:
    way, name = case.split(": ")
    STORE[way](table, LIMITS[name])
    assert table.get(key_of(LIMITS[name])) == LIMITS[name]
