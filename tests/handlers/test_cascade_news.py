"""The stream's second reader passes on what somebody wants to know, and forgets nothing when it fails."""

from collections.abc import Iterator
from typing import Any

import pytest

from edgewise.times import SECOND
from functions.handlers import cascade
from functions.push.notices import Delayed, Notice
from functions.systems.chat import codec as chat
from functions.systems.chat.entity import Message
from tests.push.listening import FAILED, Passing, subscribe
from tests.support import examples
from tests.support.clocks import Clock
from tests.support.http import Context
from tests.support.streams import PRESENT, StreamedTable

DEVICE = next(item for item in examples.stored() if item["Type"]["S"] == "DEVICE")
TOPIC = DEVICE["PK"]["S"]
CHANGED = {"dynamodb": {"NewImage": DEVICE}}


@pytest.fixture
def passing(table: StreamedTable, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Passing]:
    clock.now = PRESENT
    passing = Passing()
    monkeypatch.setattr(cascade, "queue", lambda: passing)
    for cached in (cascade.interest, cascade.pace):
        cached.cache_clear()
    yield passing
    for cached in (cascade.interest, cascade.pace):
        cached.cache_clear()


def deliver(*records: Any) -> None:
    cascade.handler({"Records": list(records)}, Context())


def posted(room: str, name: str) -> Any:
    return {"dynamodb": {"NewImage": chat.message_item(Message(room, 1, "amy", PRESENT, name, "hi"))}}


def test_it_passes_on_what_is_wanted_and_nothing_else(passing: Passing, table: StreamedTable) -> None:
    subscribe(table, "c", TOPIC, "/devices/123")
    subscribe(table, "c", "CHAT#harbour", "/rooms/harbour/messages")
    deliver(posted("harbour", "m1"), CHANGED, posted("other", "m2"), posted("harbour", "m3"), CHANGED)
    messages, device = passing.taken
    assert (messages.notice.topic, len(messages.notice.items), messages.seconds) == ("CHAT#harbour", 2, 0)
    assert device == Delayed(Notice(TOPIC), 0)


def test_while_nobody_subscribes_it_asks_once_a_second(passing: Passing, table: StreamedTable, clock: Clock) -> None:
    requests = []
    for later in (0, 1, SECOND):
        clock.now = PRESENT + later
        deliver(CHANGED)
        requests.append(table.usage.requests)
    assert passing.taken == []
    assert requests == [1, 0, 1]


def test_what_is_no_news_asks_nothing(passing: Passing, table: StreamedTable) -> None:
    deliver({"dynamodb": {"NewImage": {"Type": {"S": "PLAYER"}}}})
    assert table.usage.requests == 0


def test_without_push_nothing_is_asked_or_passed_on(
    passing: Passing, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(table, "c", TOPIC, "/devices/123")
    monkeypatch.setattr(cascade, "queue", lambda: None)
    deliver(CHANGED)
    assert (passing.taken, table.usage.requests) == ([], 0)


def test_a_notice_that_the_queue_did_not_take_is_passed_on_with_the_next_change(
    passing: Passing, table: StreamedTable, clock: Clock
) -> None:
    """Also one that was to be delayed: nothing of it is on its way."""
    subscribe(table, "c", TOPIC, "/devices/123")
    deliver(CHANGED)
    passing.failing = [FAILED, FAILED]
    for _ in range(2):
        deliver(CHANGED)
    clock.now += 1
    deliver(CHANGED)
    assert [each.notice.topic for each in passing.taken] == [TOPIC, TOPIC]


def test_what_the_queue_took_is_counted_although_it_did_not_take_all(passing: Passing, table: StreamedTable) -> None:
    subscribe(table, "c", TOPIC, "/devices/123")
    subscribe(table, "c", "CHAT#harbour", "/rooms/harbour/messages")
    passing.failing = [FAILED]
    assert cascade.announce([posted("harbour", "m1"), CHANGED]) == 1


def test_follow_ups_do_not_wait_for_a_queue_that_fails(
    passing: Passing, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(table, "c", TOPIC, "/devices/123")
    finished: list[int] = []

    def finish(table: object, follow_ups: object, records: list[Any]) -> int:
        finished.append(len(records))
        return 0

    monkeypatch.setattr(cascade, "finish", finish)
    passing.failing = [FAILED]
    deliver(CHANGED)
    assert (passing.taken, finished) == ([], [1])
