"""Rooms: set up, widened, never shrunk."""

from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from edgewise.errors import ConcurrentChangeError
from functions.systems.chat import rooms
from functions.systems.chat.entity import Room
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers", "clock")

ADMIN = Client(groups=("admin",))
# The clock shows noon.
TEN_SECONDS_LATER = "2018-08-29T12:00:10.000Z"


def put(shards: Any) -> Answer:
    return ADMIN.call("PUT /rooms/{room}", None, {"shards": shards}, room="seattle")


def test_rooms_are_listed_from_the_first_message_on_or_before_it() -> None:
    put(2)
    ADMIN.call("POST /rooms/{room}/messages", body={"messages": [{"text": "hi"}]}, room="a b#c")
    assert ADMIN.call("GET /rooms").body == {"rooms": ["a b#c", "seattle"], "cursor": None}
    put(4)
    assert ADMIN.call("GET /rooms", {"begins_with": "sea"}).body == {"rooms": ["seattle"], "cursor": None}
    assert ADMIN.call("GET /rooms", {"begins_with": "a b#"}).body == {"rooms": ["a b#c"], "cursor": None}


def test_a_new_room_has_its_shards_since_ever() -> None:
    answer = put(4)
    assert (answer.status, answer.body) == (
        200,
        {"room": "seattle", "shards": 4, "history": [{"since": None, "shards": 4}]},
    )


def test_a_room_is_widened_from_a_moment_on_that_no_request_in_flight_can_reach() -> None:
    put(2)
    assert put(4).body["history"] == [{"since": None, "shards": 2}, {"since": TEN_SECONDS_LATER, "shards": 4}]
    assert ADMIN.call("GET /rooms/{room}", room="seattle").body["shards"] == 4


def test_a_room_that_was_written_to_first_has_one_shard() -> None:
    Client("amy").call("POST /rooms/{room}/messages", None, {"messages": [{"text": "hi"}]}, room="seattle")
    assert ADMIN.call("GET /rooms/{room}", room="seattle").body == {
        "room": "seattle",
        "shards": 1,
        "messages": 0,  # until the stream has been absorbed
        "users": 0,
    }


def test_the_same_number_again_changes_nothing(table: Table) -> None:
    put(2)
    before = rooms.find(table, "seattle")
    assert put(2).status == 200
    assert rooms.find(table, "seattle") == before


def test_shrinking_is_refused_with_a_reason(table: Table) -> None:
    put(4)
    answer = put(3)
    assert (answer.status, answer.body["title"]) == (409, "Conflict")
    assert answer.body["detail"] == "'seattle' has 4 shards and can't go down to 3: what they hold stays where it is"
    assert put(4).body["history"] == [{"since": None, "shards": 4}]


def test_a_change_by_somebody_else_at_the_same_time_is_409(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    put(2)
    stale = rooms.find(table, "seattle")
    put(3)
    monkeypatch.setattr(rooms, "find", lambda *_: stale)
    answer = put(4)
    assert (answer.status, answer.body["title"]) == (409, "Conflict")


def test_a_room_created_by_somebody_else_meanwhile_is_taken_as_it_is(table: Table) -> None:
    mine, theirs = Room.starting_with("seattle", 1), Room.starting_with("seattle", 4)
    assert rooms.create(table, theirs) == theirs
    assert rooms.create(table, mine) == theirs
    with pytest.raises(ConcurrentChangeError):
        rooms.replace(table, Room("seattle", mine.history, version=5))


@pytest.mark.parametrize("shards", [0, 65, -1, 1.5, "4", True, None, [4]])
def test_a_number_of_shards_is_1_to_64(shards: Any) -> None:
    answer = put(shards)
    assert (answer.status, answer.fields) == (400, ["shards"])


@pytest.mark.parametrize(("body", "field"), [({}, "shards"), ({"shards": 2, "shard": 3}, "shard"), ("{", "body")])
def test_a_body_that_is_no_request_is_400(body: Any, field: str) -> None:
    answer = ADMIN.call("PUT /rooms/{room}", None, body, room="seattle")
    assert (answer.status, answer.fields) == (400, [field])
