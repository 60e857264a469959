"""Edges and summaries out: what the consumer made of readings and messages, one request each."""

from collections.abc import Callable
from typing import Any

import pytest

from functions.handlers import edge_aggregator
from functions.systems.chat import keys as chat_keys
from functions.systems.telemetry import keys as telemetry_keys
from tests.support.http import Client, Context
from tests.support.streams import StreamedTable, window_event

pytestmark = pytest.mark.usefixtures("handlers")

DEVICE, IMPORTER, READER = Client(groups=("ingest",)), Client(groups=("import",)), Client()
Drain = Callable[[], None]

JFK, ALB, HOU = ["US", "New York", "JFK"], ["US", "New York", "ALB"], ["US", "Texas", "HOU"]
AT = [f"2018-08-29T12:00:0{second}.000Z" for second in range(6)]
READINGS = [("d1", AT[0], JFK), ("d1", AT[1], JFK), ("d1", AT[2], HOU), ("d2", AT[3], ALB), ("d2", AT[4], None)]
POSTS = [("amy", "seattle", AT[0]), ("amy", "seattle", AT[1]), ("bob", "seattle", AT[2]), ("amy", "a/b", AT[3])]


@pytest.fixture
def absorbed(drain: Drain) -> None:
    events: list[Any] = [
        {"device_id": d, "at": at, "event_id": at, "place": place, "metrics": {}} for d, at, place in READINGS
    ]
    assert DEVICE.call("POST /telemetry", body={"events": events}).body["rejected"] == []
    for user, room, at in POSTS:
        message = {"text": "hi", "user": user, "message_id": at, "sent_at": at}
        IMPORTER.call("POST /rooms/{room}/messages", None, {"messages": [message]}, room=room)
    drain()


ANSWERS: list[tuple[str, dict[str, str], dict[str, str], dict[str, Any]]] = [
    (
        "GET /devices/{device}",
        {"device": "d1"},
        {},
        {
            "device": "d1",
            "summary": {"events": 3, "places": 2, "first": AT[0], "last": AT[2], "recounting": False},
            "places": [
                {"place": JFK, "events": 2, "first": AT[0], "last": AT[1], "recounting": False},
                {"place": HOU, "events": 1, "first": AT[2], "last": AT[2], "recounting": False},
            ],
        },
    ),
    (
        "GET /rooms/{room}",
        {"room": "seattle"},
        {},
        {"room": "seattle", "shards": 1, "messages": 3, "users": 2},
    ),
    ("GET /rooms/{room}/users", {"room": "seattle"}, {}, {"room": "seattle", "users": ["amy", "bob"]}),
    ("GET /rooms/{room}/users", {"room": "nowhere"}, {}, {"room": "nowhere", "users": []}),
    (
        "GET /users/{user}/rooms",
        {"user": "amy"},
        {},
        {
            "user": "amy",
            "summary": {"messages": 3, "rooms": 2},
            "rooms": [
                {"room": "a/b", "messages": 1, "first": AT[3], "last": AT[3], "recounting": False},
                {"room": "seattle", "messages": 2, "first": AT[0], "last": AT[1], "recounting": False},
            ],
        },
    ),
    (
        "GET /places",
        {},
        {"path": "US"},
        {
            "path": ["US"],
            "summary": {"events": 4, "devices": 2, "entities": {}},
            "places": [
                {"name": "New York", "events": 3, "devices": 2, "entities": {}},
                {"name": "Texas", "events": 1, "devices": 1, "entities": {}},
            ],
            "devices": ["d1", "d2"],
        },
    ),
    (
        "GET /places",
        {},
        {"path": "US/New York"},
        {
            "path": ["US", "New York"],
            "summary": {"events": 3, "devices": 2, "entities": {}},
            "places": [
                {"name": "ALB", "events": 1, "devices": 1, "entities": {}},
                {"name": "JFK", "events": 2, "devices": 1, "entities": {}},
            ],
            "devices": ["d1", "d2"],
        },
    ),
    (
        "GET /places",
        {},
        {"path": "US/New York/JFK"},
        {"path": JFK, "summary": {"events": 2, "devices": 1, "entities": {}}, "places": [], "devices": ["d1"]},
    ),
]


@pytest.mark.usefixtures("absorbed")
@pytest.mark.parametrize(("route", "ids", "query", "expected"), ANSWERS)
def test_edges_and_summaries_are_read_in_one_request_and_a_places_numbers_in_another(
    route: str, ids: dict[str, str], query: dict[str, str], expected: dict[str, Any]
) -> None:
    answer = READER.call(route, query, **ids)
    assert answer.body.pop("cursor", None) is None
    assert (answer.status, answer.body) == (200, expected)
    # Those of a root are with its edges.
    assert (answer.cost[0], answer.cost[2]) == (2 if "/" in query.get("path", "") else 1, 0)


LISTS = {"places", "devices", "rooms", "users"}
PAGED = [answer for answer in ANSWERS if answer[0] != "GET /rooms/{room}"]


@pytest.mark.usefixtures("absorbed")
@pytest.mark.parametrize(("route", "ids", "query", "expected"), PAGED)
def test_all_pages_together_are_the_whole_answer(
    route: str, ids: dict[str, str], query: dict[str, str], expected: dict[str, Any]
) -> None:
    """The summary stands on the first page only; every edge on exactly one."""
    for limit in ("1", "2", "3"):
        whole = READER.call(route, query | {"limit": limit}, **ids).body
        cursor = whole.pop("cursor")
        while cursor:
            page = READER.call(route, query | {"limit": limit, "cursor": cursor}, **ids).body
            cursor = page.pop("cursor")
            assert page.get("summary") is None
            for name in page.keys() & LISTS:
                whole[name] += page[name]
        assert whole == expected


@pytest.mark.usefixtures("absorbed")
def test_deletes_are_taken_back(table: StreamedTable, drain: Drain) -> None:
    table.delete(telemetry_keys.EVENT("d1", 1535544000000, AT[0]))
    table.delete(telemetry_keys.EVENT("d2", 1535544003000, AT[3]))
    table.delete(chat_keys.message("seattle", 1, "bob", 1535544002000, AT[2]))
    drain()
    device = READER.call("GET /devices/{device}", device="d1").body
    assert device["summary"] == {"events": 2, "places": 2, "first": AT[1], "last": AT[2], "recounting": False}
    assert READER.call("GET /devices/{device}", device="d2").body["places"] == []
    assert READER.call("GET /places", {"path": "US/New York"}).body == {
        "path": ["US", "New York"],
        "summary": {"events": 1, "devices": 1, "entities": {}},
        "places": [{"name": "JFK", "events": 1, "devices": 1, "entities": {}}],
        "devices": ["d1"],
        "cursor": None,
    }
    room = READER.call("GET /rooms/{room}", room="seattle").body
    assert (room["messages"], room["users"]) == (2, 1)
    assert READER.call("GET /rooms/{room}/users", room="seattle").body["users"] == ["amy"]
    assert READER.call("GET /users/{user}/rooms", user="bob").body["rooms"] == []
    assert READER.call("GET /places", {"path": "US/New York/ALB"}).status == 404


@pytest.mark.usefixtures("absorbed")
def test_a_device_can_be_read_while_its_last_event_is_being_removed(table: StreamedTable) -> None:
    """The event is absorbed, but not yet the change of its edge: for a moment there is a place without events."""
    table.delete(telemetry_keys.EVENT("d2", 1535544003000, AT[3]))
    table.delete(telemetry_keys.EVENT("d2", 1535544004000, AT[4]))
    (shard,) = table.shards
    removals = list(table.shards[shard])
    edge_aggregator.handler(window_event(shard, removals), Context())
    answer = READER.call("GET /devices/{device}", device="d2")
    assert (answer.status, answer.body["summary"], answer.body["places"]) == (200, None, [])


CURSORS = [
    ("GET /devices/{device}", {"device": "d1"}, {}, {"device": "d2"}, {}),
    ("GET /users/{user}/rooms", {"user": "amy"}, {}, {"user": "bob"}, {}),
    ("GET /rooms/{room}/users", {"room": "seattle"}, {}, {"room": "a/b"}, {}),
    ("GET /places", {}, {"path": "US"}, {}, {"path": "US/Texas"}),
]


@pytest.mark.usefixtures("absorbed")
@pytest.mark.parametrize(("route", "ids", "query", "other_ids", "other_query"), CURSORS)
def test_a_cursor_serves_its_own_list_only(
    route: str, ids: dict[str, str], query: dict[str, str], other_ids: dict[str, str], other_query: dict[str, str]
) -> None:
    cursor = READER.call(route, query | {"limit": "1"}, **ids).body["cursor"]
    assert READER.call(route, query | {"cursor": cursor}, **ids).status == 200
    answer = READER.call(route, other_query | {"cursor": cursor}, **other_ids)
    assert (answer.status, answer.fields) == (400, ["cursor"])
