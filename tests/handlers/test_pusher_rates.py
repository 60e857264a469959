"""What the sender reads is charged to those who wait for it; for whom owes too much it reads nothing."""

import pytest

from functions import rates
from functions.handlers import live_routes
from functions.push.notices import Notice
from functions.web import runtime
from functions.web.leases import Rated
from tests.handlers.test_pusher import push, topic
from tests.push.listening import RATE, Listeners, Passing, subscribe
from tests.support import leasing
from tests.support.clocks import Clock
from tests.support.streams import StreamedTable

DEVICE, ROLLUPS, ROOM = "/devices/d1/events", "/devices/d1/rollups?metric=temp&grain=day", "/rooms/a/messages"


@pytest.fixture(autouse=True)
def limited(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    leasing.begin(monkeypatch)


def held(sub: str) -> float:
    """What is left of a user's leases."""
    return runtime.leases()._held[sub].left


def owe(sub: str) -> None:
    """Let a user owe more than a minute's units."""
    runtime.leases().spend(Rated(sub, RATE), RATE * (rates.BURST // 1000 + 1))


def read_units(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Filled with what each answer takes, in write units."""
    took, read = list[float](), live_routes.read

    def measured(*given: object) -> str | None:
        before = table.usage.read_units
        answer = read(*given)  # type: ignore[arg-type]
        took.append((table.usage.read_units - before) / 5)
        return answer

    monkeypatch.setattr(live_routes, "read", measured)
    return took


def test_an_answer_is_paid_in_equal_shares_by_the_users_who_wait_for_it(
    listeners: Listeners, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many windows each of them has."""
    for window, sub in (("a1", "amy"), ("a2", "amy"), ("b1", "bob")):
        subscribe(table, window, topic(DEVICE), DEVICE, sub)
    subscribe(table, "a1", topic(DEVICE), ROLLUPS, "amy")
    took = read_units(table, monkeypatch)
    push(Notice(topic(DEVICE)))
    of_device, of_rollups = took
    assert of_device > 0 < of_rollups
    assert (-held("amy"), -held("bob")) == pytest.approx((of_device / 2 + of_rollups, of_device / 2))
    assert [len(listeners.frames(name)) for name in ("a1", "a2", "b1")] == [2, 1, 1]


def test_for_who_owes_too_much_nothing_is_read(
    listeners: Listeners, table: StreamedTable, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(table, "a", topic(DEVICE), DEVICE, "amy")
    owe("amy")
    took = read_units(table, monkeypatch)
    push(Notice(topic(DEVICE)))
    assert listeners.frames("a") == [{"type": "changed", "address": DEVICE}]
    assert took == []
    clock.now += rates.BURST
    push(Notice(topic(DEVICE)))
    assert [frame["type"] for frame in listeners.frames("a")] == ["changed", "answer"]


def test_others_pay_for_it_and_all_are_sent_it(
    listeners: Listeners, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(table, "a", topic(DEVICE), DEVICE, "amy")
    subscribe(table, "b", topic(DEVICE), DEVICE, "bob")
    owe("amy")
    before = held("amy")
    took = read_units(table, monkeypatch)
    push(Notice(topic(DEVICE)))
    assert [listeners.frames(name)[0]["type"] for name in "ab"] == ["answer", "answer"]
    assert (held("amy"), -held("bob")) == pytest.approx((before, *took))


def test_a_part_of_a_notice_knows_who_pays(
    listeners: Listeners, passing: Passing, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("functions.push.sending.ANSWERS", 1)
    subscribe(table, "a", topic(DEVICE), DEVICE, "amy")
    subscribe(table, "b", topic(DEVICE), ROLLUPS, "bob")
    push(Notice(topic(DEVICE)))
    push(*(each.notice for each in passing.taken))
    assert min(-held("amy"), -held("bob")) > 0


def test_messages_are_read_for_nobody(listeners: Listeners, table: StreamedTable) -> None:
    subscribe(table, "a", topic(ROOM), ROOM, "amy")
    push(Notice(topic(ROOM), ('{"n":1}',)))
    assert held("amy") == 0
