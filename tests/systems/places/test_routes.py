"""Who lives where, through the API."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

APP, READER = Client(groups=("write",)), Client()
PUT, DELETE, LIST = "PUT /places/entities/{kind}/{id}", "DELETE /places/entities/{kind}/{id}", "GET /places/entities"
HOUSTON = ["US", "Texas", "Houston"]
Drain = Callable[[], None]


def put(entity: str, path: Any, kind: str = "EQUIPMENT") -> Answer:
    return APP.call(PUT, None, {"path": path}, kind=kind, id=entity)


def ids(path: str, kind: str = "EQUIPMENT") -> list[str]:
    return [entity["id"] for entity in READER.call(LIST, {"path": path, "kind": kind}).body["entities"]]


def test_an_entity_lives_at_a_place_and_all_around_it() -> None:
    entity = {"kind": "EQUIPMENT", "id": "Equipment_1", "path": HOUSTON}
    assert (put("Equipment_1", HOUSTON).status, put("Equipment_1", HOUSTON).body) == (200, entity)
    for path in ("US", "US/Texas", "US/Texas/Houston"):
        answer = READER.call(LIST, {"path": path, "kind": "EQUIPMENT"})
        assert (answer.status, answer.body) == (200, {"entities": [entity], "cursor": None})
        assert answer.cost[0] == 1


@pytest.mark.parametrize("path", ["U", "USA", "US/Tex", "US/Texas/Houston/Downtown", "US~2FTexas"])
def test_a_prefix_ends_at_a_border(path: str) -> None:
    put("Equipment_1", HOUSTON)
    assert ids(path) == []


@pytest.mark.parametrize("name", ["a b", "a/b", "a#b", "50%", "é😀", "?", "$23", "x" * 200, "€" * 200])
def test_any_text_is_an_id(name: str) -> None:
    put(name, HOUSTON)
    assert ids("US/Texas") == [name]


def test_any_text_is_a_component() -> None:
    put("e", ["a/b", "c#d", "50%"])
    assert ids("a~2Fb/c#d") == ["e"]


def test_the_places_numbers_follow(drain: Drain) -> None:
    put("Equipment_1", HOUSTON)
    put("Equipment_2", ["US", "Texas"])
    put("seattle", ["US"], "ROOM")
    drain()
    answer = READER.call("GET /places", {"path": "US"})
    assert answer.body["summary"] == {"events": 0, "devices": 0, "entities": {"EQUIPMENT": 2, "ROOM": 1}}
    assert answer.body["places"] == [{"name": "Texas", "events": 0, "devices": 0, "entities": {"EQUIPMENT": 2}}]
    assert READER.call("GET /rooms/{room}", room="seattle").status == 404  # to live somewhere is not to exist
    put("Equipment_1", ["FR"])
    APP.call(DELETE, kind="ROOM", id="seattle")
    drain()
    assert READER.call("GET /places", {"path": "US"}).body["summary"]["entities"] == {"EQUIPMENT": 1}
    assert READER.call("GET /places", {"path": "FR"}).body["summary"]["entities"] == {"EQUIPMENT": 1}


def test_a_places_own_numbers_take_a_second_request_unless_it_is_a_root(drain: Drain) -> None:
    """They are among its siblings; nothing reads them again for later pages."""
    for number in range(3):
        put(f"e{number}", ["US", "Texas", str(number)])
    drain()
    for path, requests, pages in (("US", 1, 1), ("US/Texas", 2, 3)):
        query, found = {"path": path, "limit": "1"}, []
        while query.get("cursor", "") is not None:
            answer = READER.call("GET /places", query)
            found.append((answer.body["summary"], answer.cost[0]))
            query["cursor"] = answer.body["cursor"]
        own = {"events": 0, "devices": 0, "entities": {"EQUIPMENT": 3}}
        assert found == [(own, requests), *[(None, 1)] * (pages - 1)]
    assert READER.call("GET /places", {"path": "US/Texas/9"}).status == 404


def test_devices_live_where_they_report_from(drain: Drain) -> None:
    event = {"device_id": "123", "at": 0, "place": HOUSTON, "metrics": {}}
    Client(groups=("ingest",)).call("POST /telemetry", body={"events": [event]})
    drain()
    assert READER.call(LIST, {"path": "US", "kind": "DEVICE"}).body["entities"] == [
        {"kind": "DEVICE", "id": "123", "path": HOUSTON}
    ]


def test_removing_answers_without_a_body_every_time() -> None:
    put("Equipment_1", HOUSTON)
    for _ in range(2):
        answer = APP.call(DELETE, kind="EQUIPMENT", id="Equipment_1")
        assert (answer.status, answer.body) == (204, None)
    assert ids("US") == []


def test_all_pages_together_are_the_list() -> None:
    for number in range(5):
        put(f"e{number}", ["US", str(number)])
    found, query = [], {"path": "US", "kind": "EQUIPMENT", "limit": "2"}
    while True:
        page = READER.call(LIST, query).body
        found += [entity["id"] for entity in page["entities"]]
        if page["cursor"] is None:
            break
        query["cursor"] = page["cursor"]
    assert found == [f"e{number}" for number in range(5)]


def test_a_cursor_is_good_for_its_list_only() -> None:
    put("e1", ["US"])
    put("e2", ["US"])
    cursor = READER.call(LIST, {"path": "US", "kind": "EQUIPMENT", "limit": "1"}).body["cursor"]
    answer = READER.call(LIST, {"path": "US", "kind": "ROOM", "cursor": cursor})
    assert (answer.status, answer.fields) == (400, ["cursor"])


@pytest.mark.parametrize(
    ("kind", "entity", "body", "fields"),
    [
        ("DEVICE", "e", {"path": ["US"]}, ["kind"]),
        ("equipment", "e", {"path": ["US"]}, ["kind"]),
        ("EQUIPMENT", "a\nb", {"path": ["US"]}, ["id"]),
        ("EQUIPMENT", "x" * 201, {"path": ["US"]}, ["id"]),
        ("EQUIPMENT", "e", {"path": []}, ["path"]),
        ("EQUIPMENT", "e", {"path": ["x"] * 9}, ["path"]),
        ("EQUIPMENT", "e", {"path": ["US", ""]}, ["path.1"]),
        ("EQUIPMENT", "e", {"path": ["\x00"]}, ["path.0"]),
        ("EQUIPMENT", "e", {"path": "US"}, ["path"]),
        ("EQUIPMENT", "e", {"path": ["€" * 200, "€" * 200]}, ["path"]),
        ("EQUIPMENT", "e", {}, ["path"]),
        ("EQUIPMENT", "e", {"path": ["US"], "place": ["US"]}, ["place"]),
        ("EQUIPMENT", "e", "NaN", ["body"]),
        ("EQUIPMENT", "e", None, ["path"]),
    ],
)
def test_what_is_wrong_is_named(kind: str, entity: str, body: Any, fields: list[str]) -> None:
    answer = APP.call(PUT, None, body, kind=kind, id=entity)
    assert (answer.status, answer.fields) == (400, fields)


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"path": "US"}, ["kind"]),
        ({"kind": "EQUIPMENT"}, ["path"]),
        ({"path": "US", "kind": "PLANET"}, ["kind"]),
        ({"path": "US//Houston", "kind": "EQUIPMENT"}, ["path"]),
        ({"path": "US", "kind": "EQUIPMENT", "limit": "0"}, ["limit"]),
        ({"path": "US", "kind": "EQUIPMENT", "cursor": "x"}, ["cursor"]),
    ],
)
def test_what_is_wrong_with_a_question_is_named(query: dict[str, str], fields: list[str]) -> None:
    answer = READER.call(LIST, query)
    assert (answer.status, list(dict.fromkeys(field.split(".")[0] for field in answer.fields))) == (400, fields)


def test_only_applications_may_write() -> None:
    assert READER.call(PUT, None, {"path": ["US"]}, kind="EQUIPMENT", id="e").status == 403
    assert READER.call(DELETE, kind="EQUIPMENT", id="e").status == 403
