"""Notices of news: what nobody wants is left out; nothing is lost, in order, and each message fits."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.push.notices import MOST_BYTES, Notice, Subscriber, notices
from functions.push.pace import Pace
from functions.push.queue import Queue
from functions.push.topics import News

NEWS = [News("CHAT#a", '{"n":1}'), News("ROOM#a"), News("CHAT#b", '{"n":2}'), News("CHAT#a", '{"n":3}'), News("ROOM#a")]


def of(news: list[News], wanted: set[str]) -> list[Notice]:
    return [each.notice for each in notices(news, wanted, Pace(), 0)]


def test_items_go_together_and_a_change_is_told_once() -> None:
    assert of(NEWS, {"CHAT#a", "ROOM#a"}) == [Notice("CHAT#a", ('{"n":1}', '{"n":3}')), Notice("ROOM#a")]
    assert of(NEWS, set()) == []


def test_what_was_withdrawn_is_told_apart() -> None:
    gone = News("CHAT#a", '{"n":1}', withdrawn=True)
    assert of([*NEWS[:1], gone], {"CHAT#a"}) == [
        Notice("CHAT#a", ('{"n":1}',)),
        Notice("CHAT#a", withdrawn=('{"n":1}',)),
    ]


def test_a_notice_of_the_release_before_is_understood() -> None:
    assert Notice.of('{"topic": "CHAT#a", "items": [], "waiting": {}}') == Notice("CHAT#a")


def test_items_wait_for_nothing_and_changes_for_their_second() -> None:
    pace = Pace()
    waits = [[each.seconds for each in notices(NEWS, {"CHAT#a", "ROOM#a"}, pace, 0)] for _ in range(3)]
    assert waits == [[0, 0], [0, 1], [0]]


@given(st.lists(st.text(max_size=10_000).map(lambda text: json.dumps(text, ensure_ascii=False)), min_size=1))
def test_nothing_is_lost_and_order_is_kept(items: list[str]) -> None:
    found = of([News("CHAT#a", item) for item in items], {"CHAT#a"})
    assert [item for notice in found for item in notice.items] == items
    for notice in found:
        assert len(notice.items) == 1 or sum(len(item.encode()) for item in notice.items) <= MOST_BYTES


def test_parts_are_as_full_as_they_may_be() -> None:
    item = json.dumps("x" * (MOST_BYTES // 3 - 2))
    assert [len(each.items) for each in of([News("CHAT#a", item)] * 7, {"CHAT#a"})] == [3, 3, 1]


@given(
    st.builds(
        Notice,
        topic=st.text(min_size=1),
        items=st.lists(st.text().map(lambda text: json.dumps(text, ensure_ascii=False))).map(tuple),
        withdrawn=st.lists(st.text().map(json.dumps)).map(tuple),
        waiting=st.dictionaries(st.text(), st.lists(st.builds(Subscriber, st.text(), st.text(), st.integers(1)))),
    )
)
def test_a_message_says_the_notice_in_characters_that_sqs_takes(notice: Notice) -> None:
    """It refuses a whole message for one noncharacter, such as U+FFFF, which a chat message may well have."""
    assert Notice.of(notice.text()) == notice
    assert re.fullmatch(r"[\t\n\r\x20-\x7E]*", notice.text())


class Taking:
    """SQS, with its limits of one request."""

    def __init__(self) -> None:
        self.taken: list[dict[str, object]] = []

    def send_message_batch(self, *, QueueUrl: str, Entries: list[dict[str, object]]) -> dict[str, object]:
        assert QueueUrl == "url"
        assert 1 <= len(Entries) <= 10
        assert len({entry["Id"] for entry in Entries}) == len(Entries)
        assert sum(len(str(entry["MessageBody"]).encode()) for entry in Entries) <= 262_144
        self.taken += Entries
        return {}


def test_many_large_notices_fit_into_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    taking = Taking()
    monkeypatch.setattr("edgewise.aws.client", lambda *_: taking)
    # Each is as large as a message of 10,000 characters may be, with two halves of an escape for each.
    item = json.dumps("\N{GRINNING FACE}" * 10_000, ensure_ascii=False)
    due = list(
        notices([News(f"CHAT#{number}", item) for number in range(25)], {f"CHAT#{n}" for n in range(25)}, Pace(), 0)
    )
    Queue("url").send(due)
    assert [Notice.of(str(entry["MessageBody"])) for entry in taking.taken] == [each.notice for each in due]
