"""Nodes found by their attributes, each by its name, through one index over all of them."""

from typing import Any

import pytest

from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.sharding import listing, relief
from functions.systems.graph import keys as graph_keys
from tests.support.http import Answer, Client

WRITER, READER = Client(groups=("write",)), Client()
ROUTE = "GET /graph/search"

PEOPLE: dict[str, list[tuple[str, Any]]] = {
    "amy": [
        ("born", "1971-12-21"),
        ("name", "Amy Adams"),
        ("lives_in", ["US", "New York", "50% / #1"]),
        ("skill", "DynamoDB"),
    ],
    "bob": [
        ("born", "1971-12-22"),
        ("name", "Amy Brown"),
        ("lives_in", ["US"]),
        ("skill", "Dynamo"),
        ("skill", "SQL"),
    ],
    "cyd": [
        ("born", "2001-02-03"),
        ("name", "cyd"),
        ("lives_in", ["US", "New"]),
        ("skill", "DynamoDB"),
    ],
    "dan": [("lives_in", ["FR", "Paris"]), ("skill", "dynamo")],
}
PRODUCTS: dict[str, list[tuple[str, Any]]] = {
    "oolong": [("category", "tea"), ("price", 12.50), ("sold", True)],
    "sencha": [("category", "tea"), ("price", 9), ("sold", False)],
    "mug": [("category", "dishes"), ("price", 100), ("sold", True)],
    "voucher": [("category", "teatime"), ("price", -5)],
}


@pytest.fixture(autouse=True)
def people(handlers: None) -> None:
    route = "PUT /graph/nodes/{type}/{id}"
    for of, nodes in (("person", PEOPLE), ("product", PRODUCTS)):
        for node, attributes in nodes.items():
            body = [{"name": name, "value": value} for name, value in attributes]
            assert WRITER.call(route, None, {"attributes": body}, type=of, id=node).status == 200


def search(**query: str) -> Answer:
    return READER.call(ROUTE, {"from" if name == "start" else name: value for name, value in query.items()})


def names(answer: Answer) -> list[str]:
    return [hit["id"] for hit in answer.body["nodes"]]


SEARCHES: list[tuple[dict[str, str], list[str]]] = [
    ({"name": "skill", "value": "DynamoDB"}, ["amy", "cyd"]),
    ({"name": "skill", "value": "Dynamo"}, ["bob"]),
    ({"name": "skill", "value": "SQ"}, []),
    ({"name": "skill", "begins_with": "Dynamo"}, ["bob", "amy", "cyd"]),
    ({"name": "skill", "begins_with": "S"}, ["bob"]),
    ({"name": "skill", "start": "E"}, ["bob", "dan"]),
    ({"name": "name", "value": "Amy Adams"}, ["amy"]),
    ({"name": "name", "begins_with": "Amy "}, ["amy", "bob"]),
    ({"name": "name", "value": "DynamoDB"}, []),
    ({"name": "born", "value": "1971-12-21"}, ["amy"]),
    ({"name": "born", "begins_with": "1971"}, ["amy", "bob"]),
    ({"name": "born", "begins_with": "1971-12"}, ["amy", "bob"]),
    ({"name": "born", "begins_with": "1971-12-21"}, ["amy"]),
    ({"name": "born", "start": "1971-12-22", "to": "2001-02-03"}, ["bob"]),
    ({"name": "born", "start": "2000"}, ["cyd"]),
    ({"name": "born", "to": "1999-01"}, ["amy", "bob"]),
    ({"name": "lives_in", "value": "US"}, ["bob"]),
    ({"name": "lives_in", "value": "US/New York/50~25 ~2F #1"}, ["amy"]),
    ({"name": "lives_in", "begins_with": "US/New"}, ["cyd"]),
    ({"name": "lives_in", "begins_with": "US/New York"}, ["amy"]),
    ({"name": "lives_in", "begins_with": "US"}, ["bob", "cyd", "amy"]),
    ({"name": "lives_in", "begins_with": "U"}, []),
    ({"name": "lives_in", "start": "FR/A", "to": "US/New York"}, ["dan", "bob", "cyd"]),
    ({"name": "category", "value": "tea"}, ["oolong", "sencha"]),
    ({"name": "category", "begins_with": "tea"}, ["oolong", "sencha", "voucher"]),
    ({"name": "price", "value": "12.5"}, ["oolong"]),
    ({"name": "price", "value": "9.00"}, ["sencha"]),
    ({"name": "price", "start": "9", "to": "100"}, ["sencha", "oolong"]),
    ({"name": "price", "start": "-5"}, ["voucher", "sencha", "oolong", "mug"]),
    ({"name": "price", "to": "0"}, ["voucher"]),
    ({"name": "sold", "value": "true"}, ["mug", "oolong"]),
    ({"name": "sold", "value": "false"}, ["sencha"]),
    ({"name": "tier", "value": "up"}, []),
]


@pytest.mark.parametrize(("query", "expected"), SEARCHES)
def test_nodes_are_found_in_the_order_of_their_values(query: dict[str, str], expected: list[str]) -> None:
    answer = search(**query)
    assert (answer.status, answer.body["cursor"]) == (200, None)
    found = names(answer)
    if "value" in query:  # who has the same value is in no order that means anything
        assert sorted(found) == expected
    else:
        assert [hit["attribute"]["value"] for hit in answer.body["nodes"]] == sorted(
            hit["attribute"]["value"] for hit in answer.body["nodes"]
        )
        assert sorted(found) == sorted(expected)


def test_a_hit_is_answered_whole() -> None:
    attribute = {"name": "lives_in", "value": ["FR", "Paris"]}
    found = search(name="lives_in", value="FR/Paris").body["nodes"]
    assert found == [{"type": "person", "id": "dan", "attribute": attribute}]


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize(
    "query",
    [{"value": "DynamoDB"}, {"begins_with": "D"}, {"start": "D", "to": "E"}, {"name": "lives_in", "begins_with": "US"}],
)
def test_a_search_takes_one_request_a_shard(
    query: dict[str, str], shards: int, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for of in (graph_keys.attributes_of("skill"), graph_keys.attributes_of("lives_in")):
        relief.widen(table, of, shards)
    later = clock.now() + listing.KNOWN_FOR
    monkeypatch.setattr(clock, "now", lambda: later)
    # One more, the first time in ten seconds, for the history of the shards.
    for further in (1, 0):
        assert search(**{"name": "skill"} | query).cost[0] == shards + further


@pytest.mark.parametrize("limit", ["1", "2", "4"])
@pytest.mark.parametrize("query", [{"name": "skill", "start": "A"}, {"name": "lives_in", "begins_with": "US"}])
def test_pages_together_are_the_whole(query: dict[str, str], limit: str) -> None:
    whole, found = search(**query).body["nodes"], []
    cursor: dict[str, str] = {}
    while True:
        page = search(**query, **cursor, limit=limit).body
        assert len(page["nodes"]) <= int(limit)
        found += page["nodes"]
        if page["cursor"] is None:
            break
        cursor = {"cursor": page["cursor"]}
    assert found == whole


def test_a_cursor_serves_no_other_search() -> None:
    cursor = search(name="skill", begins_with="D", limit="1").body["cursor"]
    for other in ({"begins_with": "Dy"}, {"start": "D"}, {"value": "DynamoDB"}):
        assert search(name="skill", cursor=cursor, **other).fields == ["cursor"]


def test_who_changes_is_found_by_the_new_value_only() -> None:
    body = {"attributes": [{"name": "skill", "value": "Go"}]}
    WRITER.call("PUT /graph/nodes/{type}/{id}", None, body, type="person", id="amy")
    assert names(search(name="skill", value="DynamoDB")) == ["cyd"]
    assert names(search(name="skill", value="Go")) == ["amy"]


INVALID: list[tuple[dict[str, str], list[str]]] = [
    ({"value": "x"}, ["name"]),
    ({"name": "colour", "value": "red"}, ["name"]),
    ({"name": "price", "value": "many"}, ["value"]),
    ({"name": "price", "value": "NaN"}, ["value"]),
    ({"name": "price", "begins_with": "1"}, ["begins_with"]),
    ({"name": "price", "start": "9", "to": "9.0"}, ["to"]),
    ({"name": "sold", "value": "yes"}, ["value"]),
    ({"name": "sold", "begins_with": "t"}, ["begins_with"]),
    ({"name": "skill"}, ["value"]),
    ({"name": "skill", "value": "x", "begins_with": "x"}, ["value"]),
    ({"name": "skill", "value": "x", "to": "y"}, ["value"]),
    ({"name": "skill", "begins_with": "x", "start": "y"}, ["value"]),
    ({"name": "skill", "value": ""}, ["value"]),
    ({"name": "skill", "begins_with": "x" * 201}, ["begins_with"]),
    ({"name": "skill", "start": "a\x00"}, ["from"]),
    ({"name": "skill", "start": "b", "to": "b"}, ["to"]),
    ({"name": "skill", "start": "b", "to": "a"}, ["to"]),
    ({"name": "born", "value": "1971-12"}, ["value"]),
    ({"name": "born", "begins_with": "197"}, ["begins_with"]),
    ({"name": "born", "start": "1971-13"}, ["from"]),
    ({"name": "born", "to": "then"}, ["to"]),
    ({"name": "lives_in", "value": "US//Seattle"}, ["value"]),
    ({"name": "lives_in", "begins_with": "US/"}, ["begins_with"]),
    ({"name": "lives_in", "value": "US/\x00"}, ["value"]),
    ({"name": "lives_in", "value": "/".join("123456789")}, ["value"]),
    ({"name": "skill", "value": "x", "limit": "1001"}, ["limit"]),
    ({"name": "skill", "value": "x", "cursor": "?"}, ["cursor"]),
]


@pytest.mark.parametrize(("query", "fields"), INVALID)
def test_what_is_wrong_with_a_search_is_named(query: dict[str, str], fields: list[str]) -> None:
    answer = search(**query)
    assert (answer.status, answer.fields) == (400, fields)
