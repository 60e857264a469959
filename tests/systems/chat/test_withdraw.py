"""Messages taken back: by whom, what stays in their place, what follows, and what becomes of a repeat."""

from collections.abc import Callable
from typing import Any

import pytest

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from tests.support.clocks import NOON, Clock
from tests.support.http import Answer, Client
from tests.support.interference import Interfering

pytestmark = pytest.mark.usefixtures("handlers", "clock")

Drain = Callable[[], None]
ROUTE, POST = "DELETE /rooms/{room}/messages/{id}", "POST /rooms/{room}/messages"
AMY, BOB, ADMIN, IMPORTER = Client("amy"), Client("bob"), Client("ada", ("admin",)), Client("ivy", ("import",))
LATER = "2018-08-29T12:00:01.000Z"
SHARD = "CHAT#seattle-1"
SAID = {"text": "hi", "message_id": "m1"}
TOMBSTONE = {
    "PK": {"S": SHARD},
    "SK": {"S": "amy#2018-08-29:12:00:00.000#m1"},
    "Type": {"S": "MESSAGE"},
    "Withdrawn": {"M": {"By": {"S": "amy"}, "At": {"S": LATER}}},
}


def post(*messages: Any, client: Client = AMY) -> Answer:
    return client.call(POST, None, {"messages": list(messages)}, room="seattle")


def withdraw(client: Client = AMY, name: str = "m1", room: str = "seattle", **query: str) -> Answer:
    return client.call(ROUTE, {"sent_at": NOON} | query, room=room, id=name)


def texts(**query: str) -> list[str]:
    answer = BOB.call("GET /rooms/{room}/messages", query, room="seattle")
    assert "left_out" not in answer.body, "it is no foreign item"
    return [message["text"] for message in answer.body["messages"]]


def stored(table: Table, name: str = "m1") -> Item | None:
    return table.get(Key(SHARD, f"amy#2018-08-29:12:00:00.000#{name}"))


@pytest.fixture(autouse=True)
def posted(handlers: None, clock: Clock) -> None:
    assert post(SAID, {"text": "ho", "message_id": "m2"}).status == 202
    clock.show(LATER)


def test_a_tombstone_takes_its_place_and_no_list_has_it(table: Table) -> None:
    answer = withdraw()
    assert (answer.status, answer.body) == (204, None)
    assert stored(table) == TOMBSTONE
    mine = AMY.call("GET /users/{user}/messages", user="amy").body["messages"]
    assert [texts(), texts(user="amy"), [each["text"] for each in mine]] == [["ho"]] * 3


def test_whoever_sent_it_and_administrators_may_and_nobody_else(table: Table) -> None:
    """Not who was given the author's name later."""
    before = stored(table)
    another = Client("amy", sub="another")
    for stranger in (BOB, Client("bob", ("import", "ingest", "write")), Client("bob", ("its owner",)), another):
        refused = withdraw(stranger, user="amy")
        assert (refused.status, stored(table)) == (403, before)
        assert refused.body["detail"] == (
            "you may not withdraw it: only its owner and members of the group 'admin' may"
        )
    assert withdraw(ADMIN, user="amy").status == 204
    assert texts() == ["ho"]


def test_repeating_it_writes_nothing_and_who_comes_later_is_told_so(table: Table, clock: Clock) -> None:
    withdraw()
    clock.show("2018-08-29T13:00:00.000Z")
    again = withdraw()
    assert (again.status, again.cost[2], stored(table)) == (204, 0, TOMBSTONE)
    late = withdraw(ADMIN, user="amy")
    assert (late.status, late.body["detail"]) == (410, "the message 'm1' was withdrawn")
    assert late.body["withdrawn_at"] == LATER


def test_an_importer_may_withdraw_what_it_has_imported(clock: Clock) -> None:
    clock.show(LATER)
    post(SAID | {"user": "zoe", "sent_at": NOON}, client=IMPORTER)
    assert withdraw(Client("zoe"), user="zoe").status == 403
    assert withdraw(IMPORTER, user="zoe").status == 204


def test_of_one_of_an_earlier_release_nobody_knows_who_sent_it(table: Table) -> None:
    item = stored(table) or {}
    del item["Sender"]
    table.put_many([item])
    assert [withdraw(by, user="amy").status for by in (AMY, ADMIN)] == [403, 204]


@pytest.mark.parametrize(
    ("asked", "query"),
    [
        ({"name": "m3"}, {}),
        ({"room": "boston"}, {}),
        ({}, {"sent_at": LATER}),
        ({"client": BOB}, {}),  # of whom there is no such message
    ],
)
def test_what_was_never_posted_is_unknown(table: Table, asked: dict[str, Any], query: dict[str, str]) -> None:
    before = table.client.scan(TableName=table.name)["Items"]
    assert withdraw(**{**asked, **query}).status == 404
    assert table.client.scan(TableName=table.name)["Items"] == before


class TestSentAgain:
    """Whoever repeats a message that was withdrawn is told so, and does not bring it back."""

    def refused(self, answer: Answer) -> None:
        assert (answer.status, answer.fields) == (400, ["messages.0.message_id"])
        assert answer.body["errors"][0]["error"] == "was withdrawn"

    @pytest.mark.parametrize("text", ["hi", "something else"])
    def test_by_its_author(self, table: Table, text: str) -> None:
        withdraw()
        self.refused(post(SAID | {"text": text}))
        assert (stored(table), texts()) == (TOMBSTONE, ["ho"])

    def test_by_an_importer(self, table: Table) -> None:
        withdraw()
        self.refused(post(SAID | {"user": "amy", "sent_at": NOON}, client=IMPORTER))
        assert stored(table) == TOMBSTONE

    def test_with_an_idempotency_key(self) -> None:
        keyed = Client("amy", headers={"Idempotency-Key": "k"})
        (receipt,) = post({"text": "keyed"}, client=keyed).body["messages"]
        assert withdraw(name=receipt["message_id"], sent_at=receipt["sent_at"]).status == 204
        self.refused(post({"text": "keyed"}, client=keyed))

    def test_beside_others_that_are_stored(self) -> None:
        withdraw()
        answer = post(SAID, {"text": "new", "message_id": "m9"})
        assert (answer.status, answer.body["accepted"]) == (202, 1)
        assert answer.body["rejected"] == [{"field": "message_id", "error": "was withdrawn", "index": 0}]
        assert texts() == ["ho", "new"]


def test_numbers_follow_and_first_and_last_are_found_anew(drain: Drain, clock: Clock) -> None:
    clock.show("2018-08-29T14:00:00.000Z")
    post({"text": "last", "message_id": "m3"})
    drain()
    for name in ("m1", "m2"):
        assert withdraw(name=name).status == 204
    drain()
    room = BOB.call("GET /rooms/{room}", room="seattle").body
    assert (room["messages"], room["users"]) == (1, 1)
    user = BOB.call("GET /users/{user}/rooms", user="amy").body
    assert user["summary"] == {"messages": 1, "rooms": 1}
    (edge,) = user["rooms"]
    assert (edge["messages"], edge["recounting"]) == (1, False)
    assert (edge["first"], edge["last"]) == ("2018-08-29T14:00:00.000Z",) * 2


def test_the_last_one_takes_its_room_from_the_user(drain: Drain) -> None:
    drain()
    for name in ("m1", "m2"):
        withdraw(name=name)
    drain()
    room = BOB.call("GET /rooms/{room}", room="seattle").body
    assert (room["messages"], room["users"]) == (0, 0)
    assert BOB.call("GET /users/{user}/rooms", user="amy").body["rooms"] == []


class TestMeanwhile:
    """Somebody changes the message between its read and the tombstone."""

    @pytest.fixture
    def reading(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
        def after(happens: Callable[[], object]) -> None:
            Interfering(table, monkeypatch).after_reading("amy#2018-08-29:12:00:00.000#m1", happens)

        return after

    def test_it_stays_as_it_has_become(self, table: Table, reading: Callable[[Callable[[], object]], None]) -> None:
        changed = (stored(table) or {}) | {"Text": {"S": "changed"}}
        reading(lambda: table.put_many([changed]))
        answer = withdraw()
        assert (answer.status, stored(table)) == (409, changed)

    def test_of_two_who_withdraw_it_one_is_told_of_the_other(
        self, table: Table, reading: Callable[[Callable[[], object]], None]
    ) -> None:
        reading(withdraw)
        assert withdraw(ADMIN, user="amy").status == 410
        assert stored(table) == TOMBSTONE

    def test_an_attempt_whose_answer_got_lost_has_done_it(
        self, table: Table, reading: Callable[[Callable[[], object]], None]
    ) -> None:
        reading(withdraw)
        assert (withdraw().status, stored(table)) == (204, TOMBSTONE)
