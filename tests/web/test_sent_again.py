"""Sent again: the same gets the same answer, something else under the same name is refused, and the first stays."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from tests.support.crashes import dying_at
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

NOON = "2018-08-29T12:00:00.000Z"
AMY, BOB = Client("amy", ("write", "import")), Client("bob", ("write", "import"))
Body = dict[str, Any]


def keyed(client: Client, key: str = "k1") -> Client:
    return replace(client, headers={"idempotency-key": key})


@dataclass(frozen=True)
class Post:
    """A POST that creates: what is sent, the same with other content, and how it names what it creates."""

    route: str
    path: dict[str, str]
    body: Body
    other: Body
    name: Body = field(default_factory=dict)
    key: str | None = None
    client: Client = AMY
    on_first: bool = False

    @property
    def refused(self) -> int:
        """What other content under the same name is answered with."""
        return 412 if self.on_first else 409

    def send(self, more: Body | None = None, client: Client | None = None) -> Answer:
        who = client or self.client
        named = keyed(who, self.key) if self.key else who
        named = replace(who, headers={"if-none-match": "*"}) if self.on_first else named
        return named.call(self.route, None, self.body | self.name | (more or {}), **self.path)


AUDITS, VERSIONS = "POST /equipment/{equipment}/audits", "POST /documents/{document}/versions"
ORDERS, PLAYS = "POST /customers/{customer}/orders", "POST /players/{player}/games"
AUDIT, TEXT = {"auditor": "ann", "result": "passed"}, {"content": "draft"}
OF_E, OF_D, OF_C, OF_P = {"equipment": "e"}, {"document": "d"}, {"customer": "c"}, {"player": "p"}
POSTS = {
    "an order by its id": Post(ORDERS, OF_C, {"amount": 1}, {"amount": 2}, {"order_id": "o"}),
    "an order by key": Post(ORDERS, OF_C, {"amount": 1}, {"amount": 2}, key="k1"),
    "a play": Post(PLAYS, OF_P, {"game": "g", "at": NOON, "score": 1}, {"score": 2}),
    "an audit by the expected version": Post(AUDITS, OF_E, AUDIT, {"result": "failed"}, on_first=True),
    "an audit by key": Post(AUDITS, OF_E, AUDIT, {"result": "failed"}, key="k1"),
    "a version by the expected one": Post(VERSIONS, OF_D, TEXT, {"content": "other"}, on_first=True),
    "a version by key": Post(VERSIONS, OF_D, TEXT, {"content": "other"}, key="k1"),
}
posts = pytest.mark.parametrize("post", POSTS.values(), ids=POSTS.keys())


@pytest.fixture(autouse=True)
def document(table: Table) -> None:
    """One that both may write."""
    AMY.call("PUT /documents/{document}/metadata", None, {"title": "T"}, document="d")
    AMY.call("PUT /documents/{document}/permissions", None, {"readers": [], "writers": ["bob"]}, document="d")


@posts
def test_the_same_gets_the_same_answer_and_other_content_is_refused(post: Post, table: StreamedTable) -> None:
    first = post.send()
    stored = table.all_items()
    again, other = post.send(), post.send(post.other)
    assert (first.status, again.status, other.status) == (201, 200, post.refused)
    assert again.body == first.body
    assert table.all_items() == stored


@posts
@pytest.mark.parametrize("answer_lost", [False, True], ids=["killed before", "answer lost"])
def test_after_a_death_it_is_stored_once(post: Post, answer_lost: bool, table: StreamedTable) -> None:
    before = len(table.all_items())
    with dying_at(table, 0, answer_lost=answer_lost):
        post.send()
    again = post.send()
    assert again.status == (200 if answer_lost else 201)
    stored = table.all_items()
    assert post.send().body == again.body
    assert (table.all_items(), len(stored) > before) == (stored, True)


@posts
def test_of_two_at_once_one_is_stored_and_both_are_answered(
    post: Post, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one comes between what the first one read and what it writes."""
    both: list[Answer] = []
    for name in ("write", "transact"):
        real: Callable[[Any], None] = getattr(table, name)

        def late(what: Any, real: Callable[[Any], None] = real) -> None:
            monkeypatch.undo()
            monkeypatch.setattr("functions.web.runtime.table", lambda: table)
            both.append(post.send())
            real(what)

        monkeypatch.setattr(table, name, late)
    late_one = post.send()
    assert (both[0].status, late_one.status) == (201, 200)
    assert late_one.body == both[0].body


KEYED = {name: post for name, post in POSTS.items() if post.key}


@pytest.mark.parametrize("post", KEYED.values(), ids=KEYED.keys())
def test_a_key_is_its_callers_and_its_resources_own(post: Post) -> None:
    first = post.send()
    (name,) = post.path
    elsewhere = replace(post, path={name: "elsewhere"})
    if name == "document":
        AMY.call("PUT /documents/{document}/metadata", None, {"title": "T"}, document="elsewhere")
    assert [post.send(client=BOB).status, elsewhere.send().status] == [201, 201]
    assert replace(post, key="k2").send().status == 201
    assert post.send().body == first.body


@pytest.mark.parametrize("post", KEYED.values(), ids=KEYED.keys())
def test_a_key_is_remembered_however_many_came_after_it(post: Post) -> None:
    first = post.send()
    for number in range(30):
        assert replace(post, key=f"other {number}").send().status == 201
    again = post.send()
    assert (again.status, again.body) == (200, first.body)


@pytest.mark.parametrize("key", ["", "x" * 201, "a\x00"])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    answer = keyed(AMY, key).call(AUDITS, None, AUDIT, equipment="e")
    assert (answer.status, [name.lower() for name in answer.fields]) == (400, ["idempotency-key"])


def test_who_may_write_no_more_is_not_told_what_the_key_stored() -> None:
    version = replace(POSTS["a version by key"], client=BOB)
    assert version.send().status == 201
    AMY.call("PUT /documents/{document}/permissions", None, {"readers": [], "writers": []}, document="d")
    assert version.send().status == 404


class TestMessages:
    ROUTE = "POST /rooms/{room}/messages"

    def send(self, *messages: Body, client: Client = AMY) -> Answer:
        return client.call(self.ROUTE, None, {"messages": list(messages)}, room="r")

    def texts(self) -> list[str]:
        found = AMY.call("GET /rooms/{room}/messages", room="r").body["messages"]
        return [message["text"] for message in found]

    @pytest.mark.parametrize("more", [{}, {"sent_at": NOON}], ids=["posted", "imported"])
    def test_another_text_under_the_same_id_is_refused_alone(self, more: Body) -> None:
        self.send({"text": "first", "message_id": "m1"} | more)
        answer = self.send(
            *(
                {"text": text, "message_id": name} | more
                for text, name in [("other", "m1"), ("new", "m2"), ("first", "m1")]
            )
        )
        assert (answer.status, answer.body["accepted"]) == (202, 2)
        refused = {"index": 0, "field": "message_id", "error": "is already used by another message"}
        assert answer.body["rejected"] == [refused]
        assert sorted(self.texts()) == ["first", "new"]

    @pytest.mark.parametrize("more", [{}, {"sent_at": NOON}], ids=["posted", "imported"])
    def test_of_two_in_one_request_the_first_counts(self, more: Body) -> None:
        answer = self.send(*({"text": text, "message_id": "m1"} | more for text in ("first", "other", "first")))
        assert [fault["index"] for fault in answer.body["rejected"]] == [1]
        assert (answer.body["accepted"], self.texts()) == (2, ["first"])

    @pytest.mark.parametrize("more", [{}, {"sent_at": NOON}], ids=["posted", "imported"])
    def test_what_somebody_sends_between_look_and_write_stays(
        self, more: Body, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = table.write
        sent: list[bool] = []

        def late(what: Any) -> None:
            if what.item["Type"]["S"] == "MESSAGE" and not sent:
                sent.append(True)
                assert self.send({"text": "theirs", "message_id": "m1"} | more).status == 202
            real(what)

        monkeypatch.setattr(table, "write", late)
        answer = self.send({"text": "mine", "message_id": "m1"} | more)
        assert (answer.status, answer.body["rejected"][0]["index"]) == (400, 0)
        assert self.texts() == ["theirs"]

    @pytest.mark.parametrize("write", [0, 1, 2])
    @pytest.mark.parametrize("answer_lost", [False, True])
    def test_after_a_death_it_is_stored_once(self, write: int, answer_lost: bool, table: Table) -> None:
        message = {"text": "hi", "message_id": "m1"}
        with dying_at(table, write, answer_lost=answer_lost):
            self.send(message)
        assert self.send(message).body["accepted"] == 1
        assert self.texts() == ["hi"]

    def test_a_request_with_a_key_is_stored_once(self) -> None:
        """Also where its messages have no ids, and two of them say the same."""
        first = self.send({"text": "ha"}, {"text": "ha"}, client=keyed(AMY))
        again = self.send({"text": "ha"}, {"text": "ha"}, client=keyed(AMY))
        assert (again.status, again.body) == (202, first.body)
        assert self.send({"text": "ha"}, {"text": "ho"}, client=keyed(AMY)).body["rejected"][0]["index"] == 1
        self.send({"text": "bob's"}, client=keyed(BOB))
        assert sorted(self.texts()) == ["bob's", "ha", "ha"]

    def test_nothing_stored_is_no_202_and_makes_no_room(self, table: StreamedTable) -> None:
        before = table.all_items()
        answer = self.send({"text": 5})
        assert (answer.status, answer.body["accepted"], answer.body["messages"]) == (400, 0, [])
        assert (answer.fields, answer.body["rejected"][0]["field"]) == (["messages.0.text"], "text")
        assert table.all_items() == before
