"""Messages out: by user, by time, over old and new shards, page by page."""

from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from edgewise.times import EARLIEST, from_rfc_3339
from functions.systems.chat import rooms
from functions.systems.chat.entity import Room
from tests.support.clocks import Clock
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

ROUTE = "GET /rooms/{room}/messages"
READER, IMPORTER = Client(), Client(groups=("import",))

# The room is widened between the messages of August and those of September.
SENT = [
    ("2011-07-09T13:00:00.000Z", "amsg", "a"),
    ("2018-08-28T23:59:59.999Z", "bmsg", "b"),
    ("2018-08-29T12:00:00.000Z", "amsg", "c"),
    ("2018-08-29T12:00:00.000Z", "bmsg", "d"),
    ("2018-08-29T12:59:59.999Z", "ams", "e"),
    ("2018-08-29T13:00:00.000Z", "amsg", "f"),
    ("2018-08-31T23:59:59.999Z", "bmsg", "g"),
    ("2018-09-01T00:00:00.000Z", "amsg", "h"),
    ("2018-09-01T00:00:00.001Z", "amsg#", "i"),
    ("2018-09-04T01:00:00.000Z", "amsg", "j"),
    ("2018-09-04T01:00:00.000Z", "amsg", "k"),
    ("2019-01-01T00:00:00.000Z", "bmsg", "l"),
]
ALL = "abcdefghijkl"


@pytest.fixture(autouse=True)
def messages(table: Table, clock: Clock) -> None:
    clock.show(SENT[-1][0])  # importing them earlier would be refused
    room = Room.starting_with("seattle", 2).widened(5, since=from_rfc_3339("2018-09-01T00:00:00.000Z"))
    rooms.create(table, room)
    # Ids for which the first seven lie in shards 1 and 2, the others in 3 to 5.
    sent = [{"text": text, "message_id": f"{text}24", "user": user, "sent_at": at} for at, user, text in reversed(SENT)]
    answer = IMPORTER.call("POST /rooms/{room}/messages", None, {"messages": sent}, room="seattle")
    assert answer.body["accepted"] == len(SENT)
    shards = {item["PK"]["S"] for item in table.client.scan(TableName=table.name)["Items"] if "Text" in item}
    assert len(shards) == 5  # else the tests below would prove less


def get(**query: str) -> Answer:
    spelt = {"from" if name == "start" else name: value for name, value in query.items()}
    return READER.call(ROUTE, spelt, room="seattle")


def texts(answer: Answer) -> str:
    return "".join(message["text"] for message in answer.body["messages"])


def walk(query: dict[str, str]) -> str:
    """The texts of all pages, none of them longer than the limit."""
    found = ""
    cursor: dict[str, str] = {}
    while True:
        answer = get(**query, **cursor)
        assert answer.cost[0] == 6  # the room's metadata, and one query a shard
        found += texts(answer)
        assert len(answer.body["messages"]) <= int(query["limit"])
        if answer.body["cursor"] is None:
            return found
        cursor = {"cursor": answer.body["cursor"]}


QUERIES: list[tuple[dict[str, str], str]] = [
    ({}, ALL),
    ({"period": "2018-08"}, "bcdefg"),
    ({"period": "2018"}, "bcdefghijk"),
    ({"period": "2018-08-29"}, "cdef"),
    ({"period": "2018-08-29:12"}, "cde"),
    ({"period": "2018-08-29T12"}, "cde"),
    ({"period": "2018-08-29:12:00:00"}, "cd"),
    ({"period": "2017"}, ""),
    ({"user": "amsg"}, "acfhjk"),
    ({"user": "ams"}, "e"),
    ({"user": "amsg#"}, "i"),
    ({"user": "nobody"}, ""),
    ({"user": "amsg", "period": "2018-08"}, "cf"),
    ({"user": "amsg", "period": "2018-09-04:01:00:00"}, "jk"),
    ({"start": "2018-09-01T00:00:00Z"}, "hijkl"),
    ({"to": "2018-09-01T00:00:00Z"}, "abcdefg"),
    ({"start": "1535544000", "to": "1535547600"}, "cde"),
    ({"user": "bmsg", "start": "2018-08-29T12:00:00Z", "to": "2019-01-01T00:00:00Z"}, "dg"),
    ({"start": "9999-12-31T23:59:59.999Z"}, ""),
]


@pytest.mark.parametrize(("query", "expected"), QUERIES)
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_messages_by_user_and_time_in_order_over_all_shards(query: dict[str, str], expected: str, order: str) -> None:
    answer = get(**query, order=order)
    assert (answer.status, texts(answer)) == (200, expected if order == "asc" else expected[::-1])
    assert answer.body["cursor"] is None


@pytest.mark.parametrize("limit", ["1", "2", "5", "11", "12"])
@pytest.mark.parametrize(
    ("query", "expected"), [({}, ALL), ({"user": "amsg"}, "acfhjk"), ({"period": "2018-08"}, "bcdefg")]
)
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_all_pages_are_the_whole_list_once(query: dict[str, str], expected: str, order: str, limit: str) -> None:
    assert walk(query | {"order": order, "limit": limit}) == (expected if order == "asc" else expected[::-1])


def test_a_message_is_answered_whole() -> None:
    answer = get(user="ams")
    expected = {"message_id": "e24", "user": "ams", "sent_at": "2018-08-29T12:59:59.999Z", "text": "e"}
    assert answer.body == {"messages": [expected], "cursor": None}


def test_the_room_may_be_widened_between_two_pages(table: Table) -> None:
    first = get(limit="4")
    found = rooms.find(table, "seattle")
    assert found is not None
    rooms.replace(table, found.widened(9, since=from_rfc_3339("2026-01-01T00:00:00.000Z")))
    rest = get(limit="100", cursor=first.body["cursor"])
    assert texts(first) + texts(rest) == ALL


class TestCursors:
    def cursor(self) -> str:
        cursor: str = get(user="amsg", limit="2").body["cursor"]
        return cursor

    @pytest.mark.parametrize(
        "other",
        [
            {},
            {"user": "bmsg"},
            {"user": "amsg", "order": "desc"},
            {"user": "amsg", "period": "2018"},
            {"user": "amsg", "start": "0"},
            {"user": "amsg", "to": "2018-09-01T00:00:00Z"},
        ],
    )
    def test_a_cursor_serves_no_other_query(self, other: dict[str, str]) -> None:
        answer = get(**other, cursor=self.cursor())
        assert (answer.status, answer.fields) == (400, ["cursor"])

    def test_a_cursor_serves_no_other_room_and_no_other_route(self) -> None:
        IMPORTER.call("POST /rooms/{room}/messages", None, {"messages": [{"text": "x"}]}, room="boston")
        query = {"user": "amsg", "cursor": self.cursor()}
        assert READER.call(ROUTE, query, room="boston").fields == ["cursor"]
        cursor = {"cursor": self.cursor()}
        assert READER.call("GET /rooms/{room}/users", cursor, room="seattle").fields == ["cursor"]

    def test_the_limit_may_change_on_the_way(self) -> None:
        assert texts(get(user="amsg", limit="100", cursor=self.cursor())) == "fhjk"

    @pytest.mark.parametrize(
        "change",
        [
            lambda c: c[:-1],
            lambda c: c + "A",
            lambda c: ("B" if c.startswith("A") else "A") + c[1:],
            lambda c: c[::-1],
        ],
    )
    def test_a_changed_cursor_is_refused(self, change: Any) -> None:
        changed = change(self.cursor())
        answer = get(user="amsg", cursor=changed)
        assert (answer.status, answer.fields) == (400, ["cursor"])


INVALID: list[tuple[dict[str, str], list[str]]] = [
    ({"period": "2018-13"}, ["period"]),
    ({"period": "2018-08-2"}, ["period"]),
    ({"period": ""}, ["period"]),
    ({"period": "2018", "start": "0"}, ["period"]),
    ({"period": "2018", "to": "0"}, ["period"]),
    ({"start": "1", "to": "1"}, ["to"]),
    ({"start": "2018-08-29"}, ["from"]),
    ({"to": "then"}, ["to"]),
    ({"user": ""}, ["user"]),
    ({"user": "a\n"}, ["user"]),
    ({"limit": "0"}, ["limit"]),
    ({"order": "newest"}, ["order"]),
]


@pytest.mark.parametrize(("query", "fields"), INVALID)
def test_what_is_wrong_with_a_query_is_named(query: dict[str, str], fields: list[str]) -> None:
    answer = get(**query)
    assert (answer.status, answer.fields) == (400, fields)


def test_shards_since_ever_begin_with_the_first_instant(table: Table) -> None:
    """The oldest message there can be has a shard."""
    sent = {"text": "first", "sent_at": "0001-01-01T00:00:00Z"}
    IMPORTER.call("POST /rooms/{room}/messages", None, {"messages": [sent]}, room="seattle")
    assert from_rfc_3339("0001-01-01T00:00:00.000Z") == EARLIEST
    assert texts(get(period="0001")) == "first"


def of_user(name: str, **query: str) -> Answer:
    return READER.call("GET /users/{user}/messages", query, user=name)


@pytest.fixture
def elsewhere() -> None:
    """A message of amsg in another room, between two of those in the first."""
    sent = {"text": "x", "message_id": "x24", "user": "amsg", "sent_at": "2018-08-30T00:00:00Z"}
    assert IMPORTER.call("POST /rooms/{room}/messages", None, {"messages": [sent]}, room="a b#c").status == 202


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, "kjhfca"),
        ({"order": "asc"}, "acfhjk"),
        ({"from": "2018-08-29T12:00:00Z"}, "kjhfc"),
        ({"to": "2018-08-29T13:00:00Z"}, "ca"),
        ({"from": "2018-08-29T12:00:00Z", "to": "2018-09-01T00:00:00Z", "order": "asc"}, "cf"),
    ],
)
def test_a_users_messages_over_all_shards_are_one_request(query: dict[str, str], expected: str) -> None:
    answer = of_user("amsg", **query)
    assert (texts(answer), answer.cost[0]) == (expected, 1)


def test_a_users_messages_are_those_of_all_rooms_and_of_nobody_else(elsewhere: None) -> None:
    answer = of_user("amsg", limit="3", order="asc")
    rest = of_user("amsg", limit="100", order="asc", cursor=answer.body["cursor"])
    assert (texts(answer), texts(rest), rest.body["cursor"]) == ("acf", "xhjk", None)
    assert rest.body["messages"][0] == {
        "room": "a b#c",
        "message_id": "x24",
        "user": "amsg",
        "sent_at": "2018-08-30T00:00:00.000Z",
        "text": "x",
    }
    assert (texts(of_user("ams")), texts(of_user("amsg#"))) == ("e", "i")
