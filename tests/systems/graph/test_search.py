"""Nodes found by their attributes, through one index over all four kinds."""

from typing import Any

import pytest

from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.sharding import listing, relief
from functions.systems.graph import keys as graph_keys
from tests.support.http import Answer, Client

WRITER, READER = Client(groups=("write",)), Client()
ROUTE = "GET /graph/search"

PEOPLE: dict[str, list[tuple[str, str | None, Any]]] = {
    "amy": [
        ("date", "born", "1971-12-21"),
        ("name", None, "Amy Adams"),
        ("place", "lives in", ["US", "New York", "50% / #1"]),
        ("skill", None, "DynamoDB"),
    ],
    "bob": [
        ("date", "born", "1971-12-22"),
        ("date", "met", "1999-01-01"),
        ("name", None, "Amy Brown"),
        ("place", "born in", ["US"]),
        ("skill", None, "Dynamo"),
        ("skill", None, "SQL"),
    ],
    "cyd": [
        ("date", "born", "2001-02-03"),
        ("name", "nick", "cyd"),
        ("place", "lives in", ["US", "New"]),
        ("skill", None, "DynamoDB"),
    ],
    "dan": [("place", "lives in", ["FR", "Paris"]), ("skill", None, "dynamo")],
}


@pytest.fixture(autouse=True)
def people(handlers: None) -> None:
    for name, attributes in PEOPLE.items():
        body = [{"kind": kind, "name": of, "value": value} for kind, of, value in attributes]
        route = "PUT /graph/nodes/{type}/{id}"
        assert WRITER.call(route, None, {"attributes": body}, type="person", id=name).status == 200


def search(**query: str) -> Answer:
    return READER.call(ROUTE, {"from" if name == "start" else name: value for name, value in query.items()})


def names(answer: Answer) -> list[str]:
    return [hit["id"] for hit in answer.body["nodes"]]


SEARCHES: list[tuple[dict[str, str], list[str]]] = [
    ({"kind": "skill", "value": "DynamoDB"}, ["amy", "cyd"]),
    ({"kind": "skill", "value": "Dynamo"}, ["bob"]),
    ({"kind": "skill", "value": "SQ"}, []),
    ({"kind": "skill", "begins_with": "Dynamo"}, ["bob", "amy", "cyd"]),
    ({"kind": "skill", "begins_with": "S"}, ["bob"]),
    ({"kind": "skill", "start": "E"}, ["bob", "dan"]),
    ({"kind": "name", "value": "Amy Adams"}, ["amy"]),
    ({"kind": "name", "begins_with": "Amy "}, ["amy", "bob"]),
    ({"kind": "name", "value": "DynamoDB"}, []),
    ({"kind": "date", "value": "1971-12-21"}, ["amy"]),
    ({"kind": "date", "begins_with": "1971"}, ["amy", "bob"]),
    ({"kind": "date", "begins_with": "1971-12"}, ["amy", "bob"]),
    ({"kind": "date", "begins_with": "1971-12-21"}, ["amy"]),
    ({"kind": "date", "start": "1971-12-22", "to": "2001-02-03"}, ["bob", "bob"]),
    ({"kind": "date", "start": "2000"}, ["cyd"]),
    ({"kind": "date", "to": "1999-01"}, ["amy", "bob"]),
    ({"kind": "place", "value": "US"}, ["bob"]),
    ({"kind": "place", "value": "US/New York/50~25 ~2F #1"}, ["amy"]),
    ({"kind": "place", "begins_with": "US/New"}, ["cyd"]),
    ({"kind": "place", "begins_with": "US/New York"}, ["amy"]),
    ({"kind": "place", "begins_with": "US"}, ["bob", "cyd", "amy"]),
    ({"kind": "place", "begins_with": "U"}, []),
    ({"kind": "place", "start": "FR/A", "to": "US/New York"}, ["dan", "bob", "cyd"]),
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
    attribute = {"kind": "place", "name": "lives in", "value": ["FR", "Paris"]}
    found = search(kind="place", value="FR/Paris").body["nodes"]
    assert found == [{"type": "person", "id": "dan", "attribute": attribute}]


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize(
    "query",
    [{"value": "DynamoDB"}, {"begins_with": "D"}, {"start": "D", "to": "E"}, {"kind": "place", "begins_with": "US"}],
)
def test_a_search_takes_one_request_a_shard(
    query: dict[str, str], shards: int, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for of in (graph_keys.attributes_of("skill"), graph_keys.attributes_of("place")):
        relief.widen(table, of, shards)
    later = clock.now() + listing.KNOWN_FOR
    monkeypatch.setattr(clock, "now", lambda: later)
    # One more, the first time in ten seconds, for the history of the shards.
    for further in (1, 0):
        assert search(**{"kind": "skill"} | query).cost[0] == shards + further


@pytest.mark.parametrize("limit", ["1", "2", "4"])
@pytest.mark.parametrize("query", [{"kind": "skill", "start": "A"}, {"kind": "place", "begins_with": "US"}])
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
    cursor = search(kind="skill", begins_with="D", limit="1").body["cursor"]
    for other in ({"begins_with": "Dy"}, {"start": "D"}, {"value": "DynamoDB"}):
        assert search(kind="skill", cursor=cursor, **other).fields == ["cursor"]


def test_who_changes_is_found_by_the_new_value_only() -> None:
    body = {"attributes": [{"kind": "skill", "value": "Go"}]}
    WRITER.call("PUT /graph/nodes/{type}/{id}", None, body, type="person", id="amy")
    assert names(search(kind="skill", value="DynamoDB")) == ["cyd"]
    assert names(search(kind="skill", value="Go")) == ["amy"]


INVALID: list[tuple[dict[str, str], list[str]]] = [
    ({"value": "x"}, ["kind"]),
    ({"kind": "colour", "value": "red"}, ["kind"]),
    ({"kind": "skill"}, ["value"]),
    ({"kind": "skill", "value": "x", "begins_with": "x"}, ["value"]),
    ({"kind": "skill", "value": "x", "to": "y"}, ["value"]),
    ({"kind": "skill", "begins_with": "x", "start": "y"}, ["value"]),
    ({"kind": "skill", "value": ""}, ["value"]),
    ({"kind": "skill", "begins_with": "x" * 201}, ["begins_with"]),
    ({"kind": "skill", "start": "a\x00"}, ["from"]),
    ({"kind": "skill", "start": "b", "to": "b"}, ["to"]),
    ({"kind": "skill", "start": "b", "to": "a"}, ["to"]),
    ({"kind": "date", "value": "1971-12"}, ["value"]),
    ({"kind": "date", "begins_with": "197"}, ["begins_with"]),
    ({"kind": "date", "start": "1971-13"}, ["from"]),
    ({"kind": "date", "to": "then"}, ["to"]),
    ({"kind": "place", "value": "US//Seattle"}, ["value"]),
    ({"kind": "place", "begins_with": "US/"}, ["begins_with"]),
    ({"kind": "place", "value": "US/\x00"}, ["value"]),
    ({"kind": "place", "value": "/".join("123456789")}, ["value"]),
    ({"kind": "skill", "value": "x", "limit": "1001"}, ["limit"]),
    ({"kind": "skill", "value": "x", "cursor": "?"}, ["cursor"]),
]


@pytest.mark.parametrize(("query", "fields"), INVALID)
def test_what_is_wrong_with_a_search_is_named(query: dict[str, str], fields: list[str]) -> None:
    answer = search(**query)
    assert (answer.status, answer.fields) == (400, fields)
