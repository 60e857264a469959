"""Frames to the subscribers of a topic: each gets its own, once; who is gone is forgotten."""

import json
from typing import Any, cast

import pytest

from edgewise import clock
from edgewise.times import rfc_3339
from functions.push import frames, sending, store
from functions.push.notices import Notice, Subscriber
from functions.push.sending import ANSWERS, AT_ONCE, PAUSES, Outcome
from functions.replay.memory import MemoryTable
from tests.push.listening import RATE, Listeners, subscribe
from tests.support.streams import PRESENT

TOPIC = "DEVICE#1"


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    taken: list[float] = []
    monkeypatch.setattr("time.sleep", taken.append)
    return taken


def send(table: MemoryTable, listeners: Listeners) -> Outcome:
    waiting = sending.wanted_by(table, Notice(TOPIC), PRESENT)
    made = sending.frames_for(Notice(TOPIC), lambda address: f'{{"of":"{address}"}}')
    return sending.send(table, cast(Any, listeners), TOPIC, made, waiting)


def test_each_is_sent_what_its_address_answers() -> None:
    table, listeners = MemoryTable(), Listeners()
    for connection, address in (("a", "/devices/1"), ("b", "/devices/1"), ("b", "/devices/1/rollups")):
        subscribe(table, connection, TOPIC, address)
    subscribe(table, "c", "DEVICE#2", "/devices/2")
    assert send(table, listeners) == Outcome(taken=3)
    told = {"type": "answer", "read_at": rfc_3339(clock.now())}
    answer = told | {"address": "/devices/1", "body": {"of": "/devices/1"}}
    other = told | {"address": "/devices/1/rollups", "body": {"of": "/devices/1/rollups"}}
    assert listeners.frames("a") == [answer]
    assert sorted(listeners.frames("b"), key=lambda frame: len(str(frame))) == [answer, other]
    assert listeners.frames("c") == []


def test_what_was_withdrawn_is_named_in_a_frame_of_its_own_in_each_part() -> None:
    notice = Notice(TOPIC, withdrawn=('{"message_id":"m1"}',))
    (part,) = sending.later(notice, [{"/rooms/a/messages": [Subscriber("a", "amy", RATE)]}])
    frame = sending.frames_for(part.notice, lambda _: None)("/rooms/a/messages")
    told = {"type": "withdrawn", "address": "/rooms/a/messages", "items": [{"message_id": "m1"}]}
    assert json.loads(frame) == told


def test_an_address_is_read_once_for_all_its_subscribers() -> None:
    read: list[str] = []

    def reading(address: str) -> str:
        read.append(address)
        return "{}"

    table, listeners = MemoryTable(), Listeners()
    for number in range(50):
        subscribe(table, str(number), TOPIC, "/devices/1")
    waiting = sending.wanted_by(table, Notice(TOPIC), PRESENT)
    made = sending.frames_for(Notice(TOPIC), reading)
    assert sending.send(table, cast(Any, listeners), TOPIC, made, waiting) == Outcome(taken=50)
    assert read == ["/devices/1"]


def test_whoever_is_gone_is_forgotten_and_holds_up_nobody(pauses: list[float]) -> None:
    table, listeners = MemoryTable(), Listeners()
    for connection in ("a", "gone", "z"):
        subscribe(table, connection, TOPIC, "/devices/1")
    listeners.gone.add("gone")
    assert send(table, listeners) == Outcome(taken=2, gone=1)
    assert {each.connection for each in store.subscribers(table, TOPIC, PRESENT)} == {"a", "z"}
    assert send(table, listeners) == Outcome(taken=2)
    assert pauses == []


@pytest.mark.parametrize(("times", "expected"), [(2, Outcome(taken=2)), (3, Outcome(taken=1, missed=1))])
def test_what_is_missed_is_sent_again_and_then_counted(times: int, expected: Outcome, pauses: list[float]) -> None:
    table, listeners = MemoryTable(), Listeners()
    for connection in ("a", "deaf"):
        subscribe(table, connection, TOPIC, "/devices/1")
    listeners.deaf["deaf"] = times
    assert send(table, listeners) == expected
    assert len(listeners.frames("a")) == 1, "those who took it are not sent it again"
    assert pauses == list(PAUSES)
    assert len(list(store.subscribers(table, TOPIC, PRESENT))) == 2, "it may listen again"


def test_a_notice_of_many_is_split_so_that_each_is_sent_it_once() -> None:
    table = MemoryTable()
    made = [(f"c{number}", "/devices/1" if number % 3 else "/devices/1/rollups") for number in range(2 * AT_ONCE + 7)]
    for connection, address in made:
        subscribe(table, connection, TOPIC, address)
    notice = Notice(TOPIC, ('{"n":1}',))
    waiting = sending.parts(sending.wanted_by(table, notice, PRESENT))
    parts = [Notice.of(each.notice.text()) for each in sending.later(notice, waiting)]
    told = [(each.connection, address) for part in parts for address, some in part.waiting.items() for each in some]
    assert sorted(told) == sorted(made)
    for part in parts:
        assert (part.topic, part.items) == (notice.topic, notice.items)
        (again,) = sending.parts(sending.wanted_by(table, part, PRESENT))
        assert again == part.waiting, "no part is split again"


def test_an_invocation_reads_so_many_answers() -> None:
    both = [Subscriber(name, name, RATE) for name in "ab"]
    waiting = {f"/devices/1?limit={number}": both for number in range(2 * ANSWERS + 1)}
    assert [len(part) for part in sending.parts(waiting)] == [ANSWERS, ANSWERS, 1]
    assert {address: some for part in sending.parts(waiting) for address, some in part.items()} == waiting


def test_who_waits_for_much_lets_the_others_go_first() -> None:
    """Whatever the names of the connections, and so their order in the table."""
    table = MemoryTable()
    for number in range(5):
        subscribe(table, "a", TOPIC, f"/devices/1/rollups?metric=m{number}", "flood")
        subscribe(table, f"z{number}", TOPIC, f"/devices/1/rollups?metric=n{number}")
    first = list(sending.wanted_by(table, Notice(TOPIC), PRESENT))[:6]
    assert {f"/devices/1/rollups?metric=n{number}" for number in range(5)} < set(first)


def test_items_are_sent_as_they_are_and_what_answers_nothing_has_changed() -> None:
    added = sending.frames_for(Notice(TOPIC, ('{"n":1}', '{"n":2}')), lambda _: None)
    assert added("/x") == '{"type":"added","address":"/x","items":[{"n":1},{"n":2}]}'
    assert sending.frames_for(Notice(TOPIC), lambda _: None)("/x") == '{"type":"changed","address":"/x"}'


def test_items_that_are_too_large_have_changed() -> None:
    """As the longest message of a room, of characters of four bytes."""
    fits = frames.MOST_ADDED - len(frames.added("/x", ['""']).encode())
    for length, kind in ((fits, "added"), (fits + 1, "changed")):
        frame = frames.added("/x", [f'"{"x" * length}"'])
        assert frame.startswith(f'{{"type":"{kind}","address":"/x"')
        assert len(frame.encode()) <= 131_072


@pytest.mark.parametrize("text", ["x", "é", "\N{GRINNING FACE}"])
def test_an_answer_that_is_too_large_has_changed(text: str) -> None:
    """By its bytes, not its characters; the largest that fits is sent whole."""
    room = frames.MOST_BYTES - len(frames.answer("/x", '""', PRESENT).encode())
    fits = room // len(text.encode())
    for length, kind in ((fits, "answer"), (fits + 1, "changed")):
        frame = frames.answer("/x", f'"{text * length}"', PRESENT)
        assert frame.startswith(f'{{"type":"{kind}","address":"/x"')
        assert len(frame.encode()) <= 131_072
