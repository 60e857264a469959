"""Items that somebody else wrote under our keys: lists tell the rest and how many they left out, nothing crashes."""

import json
from typing import Any

import pytest

from docs.access_patterns import READS
from docs.patterns.pattern import Read
from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import BeginsWith, Between, Equals, Query
from edgewise.dynamodb.table import Table
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

Condition = BeginsWith | Between | Equals | None


def sort_key(query: Query) -> Any:
    """One that the query finds, of which nobody here would think."""
    if query.by_number:
        return n(1)
    match query.condition:
        case BeginsWith(prefix):
            return s(f"{prefix}~foreign")
        case Between(low, _):
            return s(f"{low}!foreign")
        case Equals(value):
            return s(value)
        case None:
            return s("~foreign")


def foreign(query: Query, kind: str | None) -> Item:
    """An item that the query finds and that is none of ours."""
    place = {query.partition_key: s(query.partition), query.sort_key: sort_key(query)}
    item = {"PK": s("FOREIGN"), "SK": s(f"of {query.partition}")} | place
    return item if kind is None else item | {"Type": s(kind)}


def answer(read: Read) -> Answer:
    return Client(read.user, read.groups).call(read.route, read.query, **read.path)


def name(read: Read) -> str:
    return f"{read.route} {json.dumps(dict(read.query))}"


# The table is shown as it is, with whatever is in it; one record and what looks at everything are no lists. What a
# search lists is in the index; of the table it asks what was withdrawn.
AS_IT_IS = {
    "GET /search",
    "GET /table/partition",
    "GET /table/index",
    "GET /overview",
    "GET /exactness",
    "GET /proof",
    "GET /proof/run",
    "GET /recent",
    "GET /quarantine/{shard}/{sequence}",
}
LISTS = [
    read
    for read in READS
    if read.route not in AS_IT_IS and any(isinstance(request, Query) for request in read.requests)
]


@pytest.mark.parametrize("kind", [None, "FOREIGN", "REPORTED_FROM", "EVENT"])
@pytest.mark.parametrize("read", LISTS, ids=name)
def test_a_list_tells_the_rest_and_how_many_it_left_out(
    read: Read, kind: str | None, table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    read.given(table)
    before = answer(read)
    strangers = [foreign(request, kind) for request in read.requests if isinstance(request, Query)]
    table.put_many(strangers)
    after = answer(read)
    assert after.status == 200
    assert after.body.pop("left_out") >= len(strangers)
    assert after.body == before.body
    assert '"ItemsLeftOut"' in capsys.readouterr().out


SINGLE = {
    "a room": ("GET /rooms/{room}/messages", {"room": "r"}, Key("ROOM#r", "META")),
    "the newest audit": (
        "GET /equipment/{equipment}/audits/latest",
        {"equipment": "e"},
        Key("EQUIPMENT#e", "v0_Audit#"),
    ),
    "permissions": (
        "GET /documents/{document}/versions",
        {"document": "d"},
        Key("DOCUMENT#d", "permissions"),
    ),
    "a score": (
        "GET /leaderboards/{game}/players/{player}",
        {"game": "g", "player": "p"},
        Key("PLAYER#p", "EDGE#PLAYED#GAME#g"),
    ),
    "a node": ("GET /graph/nodes/{type}/{id}", {"type": "t", "id": "i"}, Key("NODE#t#i", "NODE")),
}


@pytest.mark.parametrize(("route", "path", "key"), SINGLE.values(), ids=SINGLE.keys())
def test_a_single_foreign_item_is_a_clear_problem(route: str, path: dict[str, str], key: Key, table: Table) -> None:
    table.put_many([{"PK": s(key.pk), "SK": s(key.sk), "Cells": s("?")}])
    found = Client().call(route, None, None, **path)
    assert (found.status, found.headers["Content-Type"]) == (500, "application/problem+json")
    assert found.body["detail"] == "the stored item was not written by this application"


def test_an_order_under_whose_id_stands_something_else(table: Table) -> None:
    table.put_many([{"PK": s("CUSTOMER#c"), "SK": s("ORDER#o"), "Amount": s("much")}])
    writer = Client(groups=("write",))
    assert (
        writer.call("POST /customers/{customer}/orders", None, {"order_id": "o", "amount": 1}, customer="c").status
        == 500
    )
