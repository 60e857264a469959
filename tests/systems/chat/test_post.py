"""Messages in: identity, ids, instants, re-sending, importing."""

from typing import Any

import pytest

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from tests.support.clocks import NOON, Clock
from tests.support.http import Answer, Client
from tests.support.throttles import HOT_TABLE, answered, refusal

pytestmark = pytest.mark.usefixtures("handlers", "clock")

ROUTE = "POST /rooms/{room}/messages"
AMY, BOB, IMPORTER = Client("amy"), Client("bob"), Client("ivy", ("import",))
LATER = "2018-08-29T12:00:01.000Z"


def post(*messages: Any, client: Client = AMY, room: str = "seattle") -> Answer:
    return client.call(ROUTE, None, {"messages": list(messages)}, room=room)


def texts(room: str = "seattle") -> list[str]:
    answer = AMY.call("GET /rooms/{room}/messages", room=room)
    return [message["text"] for message in answer.body["messages"]]


def all_items(table: Table) -> list[Any]:
    return table.client.scan(TableName=table.name)["Items"]


def test_the_user_is_the_caller_and_the_instant_the_servers(table: Table) -> None:
    answer = post({"text": "hi", "message_id": "m1"})
    receipt = {"message_id": "m1", "user": "amy", "sent_at": NOON}
    assert (answer.status, answer.body) == (202, {"accepted": 1, "messages": [receipt], "rejected": []})
    item = table.get(Key("CHAT#seattle-1", "amy#2018-08-29:12:00:00.000#m1"))
    assert item is not None
    assert item["Text"] == {"S": "hi"}
    assert (item["GSI1PK"], item["GSI1SK"]) == ({"S": "CHAT#seattle-1"}, {"S": "2018-08-29:12:00:00.000#amy#m1"})


def test_two_messages_of_one_user_in_one_second_both_survive_in_order() -> None:
    first = post({"text": "1"}, {"text": "2"}, *({"text": str(number)} for number in range(3, 12)))
    assert len({receipt["message_id"] for receipt in first.body["messages"]}) == 11
    assert texts() == [str(number) for number in range(1, 12)]


def test_the_same_text_twice_is_two_messages() -> None:
    post({"text": "ha"})
    post({"text": "ha"})
    assert texts() == ["ha", "ha"]


class TestSendingAgain:
    def test_it_gives_the_first_instant_and_changes_nothing(self, table: Table, clock: Clock) -> None:
        first = post({"text": "hi", "message_id": "m1"})
        before = all_items(table)
        clock.show(LATER)
        again = post({"text": "hi", "message_id": "m1"}, {"text": "hi", "message_id": "m1"})
        assert again.body["accepted"] == 2
        assert again.body["messages"] == first.body["messages"] * 2
        assert all_items(table) == before

    def test_a_server_whose_clock_is_behind_stores_it_too(
        self, table: Table, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The first attempt got its instant from another server, and no further."""
        monkeypatch.setattr("time.sleep", lambda _: None)  # the SDK's pauses
        clock.show(LATER)
        with answered(table.client, lambda _, sent: refusal(HOT_TABLE) if "Text" in sent.get("Item", {}) else None):
            assert post({"text": "hi", "message_id": "m1"}).status == 503
        clock.show(NOON)
        (receipt,) = post({"text": "hi", "message_id": "m1"}).body["messages"]
        assert receipt["sent_at"] == LATER
        assert texts() == ["hi"]

    def test_an_id_belongs_to_its_user_and_room(self) -> None:
        for client, room in ((AMY, "seattle"), (BOB, "seattle"), (AMY, "boston")):
            post({"text": client.user, "message_id": "m1"}, client=client, room=room)
        assert (texts(), texts("boston")) == (["amy", "bob"], ["amy"])

    @pytest.mark.parametrize("instant", [NOON, 1535544000, "2018-08-29T14:00:00+02:00"])
    def test_an_imported_message_is_named_by_its_instant(self, table: Table, clock: Clock, instant: Any) -> None:
        clock.show(LATER)
        imported = {"text": "hi", "message_id": "m1", "user": "bob"}
        post(imported | {"sent_at": NOON}, client=IMPORTER)
        before = all_items(table)
        assert post(imported | {"sent_at": instant}, client=IMPORTER).body["accepted"] == 1
        assert all_items(table) == before

    def test_after_a_widening_it_lands_on_its_first_copy(self, clock: Clock) -> None:
        sent = [{"text": str(number), "message_id": f"m{number}"} for number in range(20)]
        post(*sent)
        Client(groups=("admin",)).call("PUT /rooms/{room}", None, {"shards": 8}, room="seattle")
        clock.show("2018-08-30T12:00:00.000Z")
        post(*sent)
        assert sorted(texts(), key=int) == [message["text"] for message in sent]


class TestImporting:
    def test_an_importer_sets_user_and_instant(self) -> None:
        answer = post({"text": "old", "user": "bob", "sent_at": "2011-07-09T13:00:00Z"}, client=IMPORTER)
        (receipt,) = answer.body["messages"]
        assert (receipt["user"], receipt["sent_at"]) == ("bob", "2011-07-09T13:00:00.000Z")

    def test_what_is_left_out_is_the_importers_own(self) -> None:
        (receipt,) = post({"text": "new"}, client=IMPORTER).body["messages"]
        assert (receipt["user"], receipt["sent_at"]) == ("ivy", NOON)

    def test_now_is_the_latest_instant(self) -> None:
        """A room's shards are decided for the past only: later messages could change theirs by a widening."""
        future = "2018-08-29T12:00:00.001Z"
        answer = post({"text": "a", "sent_at": NOON}, {"text": "b", "sent_at": future}, client=IMPORTER)
        (fault,) = answer.body["rejected"]
        assert (answer.body["accepted"], fault["index"], fault["field"]) == (1, 1, "sent_at")
        assert fault["error"].startswith(f"may not be ahead of the server's clock, which shows {NOON}")
        assert texts() == ["a"]

    @pytest.mark.parametrize("field", [{"user": "bob"}, {"sent_at": NOON}, {"user": "amy"}])
    def test_nobody_else_may_and_nothing_is_stored(self, table: Table, field: dict[str, str]) -> None:
        answer = post({"text": "a"}, {"text": "b"} | field)
        assert (answer.status, all_items(table)) == (403, [])


REJECTED = {
    "no object": ("hi", "body"),
    "no text": ({}, "text"),
    "text is a number": ({"text": 5}, "text"),
    "text is null": ({"text": None}, "text"),
    "text of 40,001 characters": ({"text": "x" * 40_001}, "text"),
    "text with half a surrogate pair": ({"text": "\ud800"}, "text"),
    "unknown field": ({"text": "a", "txt": "b"}, "txt"),
    "id is empty": ({"text": "a", "message_id": ""}, "message_id"),
    "id of 191 bytes": ({"text": "a", "message_id": "x" * 191}, "message_id"),
    "id with a control character": ({"text": "a", "message_id": "\x7f"}, "message_id"),
    "user is empty": ({"text": "a", "user": ""}, "user"),
    "user with a line break": ({"text": "a", "user": "a\nb"}, "user"),
    "instant is a boolean": ({"text": "a", "sent_at": False}, "sent_at"),
    "instant is no day": ({"text": "a", "sent_at": "2018-02-30T00:00:00Z"}, "sent_at"),
}


@pytest.mark.parametrize(("wrong", "field"), REJECTED.values(), ids=REJECTED.keys())
def test_a_wrong_message_is_rejected_by_name_and_its_neighbours_are_stored(wrong: Any, field: str) -> None:
    answer = post({"text": "1"}, wrong, {"text": "2"}, client=IMPORTER)
    assert (answer.status, answer.body["accepted"], len(answer.body["messages"])) == (202, 2, 2)
    assert [(fault["index"], fault["field"]) for fault in answer.body["rejected"]] == [(1, field)]
    assert texts() == ["1", "2"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"text": "a"}] * 501}, "messages"),
        ({"messages": "hi"}, "messages"),
        ({}, "messages"),
        ({"messages": [{"text": "a"}], "user": "bob"}, "user"),
    ],
)
def test_a_body_that_is_no_request_is_400(body: Any, field: str, table: Table) -> None:
    answer = AMY.call(ROUTE, None, body, room="seattle")
    assert (answer.status, answer.fields, all_items(table)) == (400, [field], [])


def test_text_may_hold_anything_else() -> None:
    odd = "\x00 a\nb\t\U0001f600" + "é" * 9990
    assert post({"text": odd}).body["accepted"] == 1
    assert texts() == [odd]


@pytest.mark.parametrize("room", ["a/b", "seattle-1", "50%", "日本 #1", "-", "META"])
def test_rooms_of_any_name(room: str) -> None:
    assert post({"text": "hi"}, room=room).status == 202
    assert texts(room) == ["hi"]


def test_rooms_with_similar_names_are_kept_apart() -> None:
    """Shard 1 of `a-1` must not be shard 11 of `a`, or the like."""
    for room in ("a", "a-1", "a-1-1", "a-11"):
        post({"text": room}, room=room)
    assert [texts(room) for room in ("a", "a-1", "a-1-1", "a-11")] == [["a"], ["a-1"], ["a-1-1"], ["a-11"]]


@pytest.mark.parametrize("message", [1, {}, {"text": "hi", "message_id": ""}])
def test_a_room_begins_with_a_message_that_is_stored(message: Any, table: Table) -> None:
    answer = post(message)
    assert [rejected["index"] for rejected in answer.body["rejected"]] == [0]
    assert answer.cost == (0, 0, 0)
    assert AMY.call("GET /rooms/{room}", room="seattle").status == 404
    assert post({"text": "hi"}, message).body["accepted"] == 1
    assert AMY.call("GET /rooms/{room}", room="seattle").status == 200
