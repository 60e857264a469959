"""A recount by the way: what it calls equal was compared, what it calls wrong stays so, and each step costs little."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from edgewise import AggregateId, clock
from edgewise.aggregates import keys
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import Item, n
from edgewise.freshness import known
from edgewise.freshness.known import Known
from edgewise.times import SECOND
from functions.catalog import CATALOG
from functions.systems.chat.system import ROOM
from functions.systems.operations import exactness
from functions.systems.operations.listed import LISTED
from functions.systems.orders.system import CUSTOMER
from functions.web import runtime
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

AMY, WRITER = Client("amy"), Client("app", ("write", "ingest"))
ROUTE = "GET /exactness"
COUNTS = ("compared", "equal", "lacking", "wrong", "doubted", "passed")


def step(cursor: str | None = None) -> Answer:
    answer = AMY.call(ROUTE, {"cursor": cursor} if cursor else {})
    assert answer.status == 200, answer.body
    return answer


def counts(body: Mapping[str, Any]) -> dict[str, int]:
    return {name: body[name] for name in COUNTS if body[name]}


def order(customer: str, number: int) -> None:
    body = {"order_id": f"{number}", "amount": 5, "opened_at": f"2018-08-29T11:00:0{number}Z"}
    assert WRITER.call("POST /customers/{customer}/orders", body=body, customer=customer).status == 201


@pytest.fixture
def ordered(drain: Callable[[], None]) -> None:
    """Two customers, of three orders and of one."""
    for customer, orders in (("kim", 3), ("lee", 1)):
        for number in range(orders):
            order(customer, number)
    drain()


def miscount(table: StreamedTable, about: AggregateId, **cells: int) -> None:
    """As no consumer does it."""
    item: Item = aggregate_item(aggregate(about, table.get(keys.of(about))))
    changed = {name: n(count) for name, count in cells.items()}
    table.remove(keys.of(about))
    table.put_many([{**item, "Cells": {"M": {**item["Cells"]["M"], **changed}}}])


class Present:
    """The time, and until when the stream's reader says that all is absorbed; None: it says nothing."""

    def __init__(self) -> None:
        self.now: int = clock.now()
        self.holds: int | None = None


@pytest.fixture
def present(monkeypatch: pytest.MonkeyPatch) -> Present:
    present = Present()

    class Told(Known):
        @property
        def is_told(self) -> bool:
            return present.holds is not None

        def as_of(self, *_: object) -> int | None:
            return present.holds

    monkeypatch.setattr("edgewise.clock.now", lambda: present.now)
    monkeypatch.setattr(known, "read", lambda *_: Told())
    return present


def test_of_nothing_nothing_is_compared() -> None:
    body = step().body
    assert (counts(body), body["shown"], body["ended"]) == ({}, [], True)


@pytest.mark.usefixtures("ordered")
class TestCompared:
    def test_all_that_is_listed_and_a_round_ends(self) -> None:
        body = step().body
        assert (counts(body), body["ended"]) == ({"compared": 2, "equal": 2}, True)

    def test_the_next_round_begins_anew(self) -> None:
        assert step().body["cursor"] is None
        assert counts(step().body) == {"compared": 2, "equal": 2}

    def test_a_step_takes_few_and_its_cursor_goes_on_with_the_others(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(exactness, "NUMBERS", 1)
        first = step().body
        assert (counts(first), first["ended"]) == ({"compared": 1, "equal": 1}, False)
        second = step(first["cursor"]).body
        assert counts(second) == {"compared": 1, "equal": 1}

    def test_nothing_is_written(self) -> None:
        assert step().cost[2] == 0

    def test_one_below_it_is_compared_too(self, drain: Callable[[], None]) -> None:
        messages = [{"text": "hi", "message_id": f"{number}"} for number in range(3)]
        AMY.call("POST /rooms/{room}/messages", body={"messages": messages}, room="quay")
        drain()
        assert counts(step().body) == {"compared": 4, "equal": 4}  # the room, and amy's edge to it


@pytest.mark.usefixtures("ordered")
class TestDoubted:
    def test_a_difference_is_no_verdict_before_all_is_absorbed_that_came_before_it(
        self, table: StreamedTable, present: Present
    ) -> None:
        miscount(table, CUSTOMER("kim"), Orders=7)
        first = step().body
        assert counts(first) == {"compared": 1, "equal": 1, "doubted": 1}
        present.holds = present.now - 1
        present.now += 60 * SECOND
        second = step(first["cursor"]).body
        assert (second["wrong"], second["doubted"]) == (0, 2)  # looked at again, and met again
        present.holds = present.now
        third = step(second["cursor"]).body
        assert third["wrong"] > 0
        shown = third["shown"][0]
        assert (shown["kind"], shown["dimensions"]) == ("CUSTOMER", ["kim"])
        assert shown["stored"]["Orders"].split()[0] == "7"
        assert shown["recounted"]["Orders"].split()[0] == "3"

    def test_a_change_on_its_way_is_equal_when_it_has_come(self, present: Present, drain: Callable[[], None]) -> None:
        order("lee", 5)  # the consumer has not seen it
        first = step().body
        assert counts(first) == {"compared": 1, "equal": 1, "doubted": 1}
        drain()
        present.holds = present.now
        assert counts(step(first["cursor"]).body) == {"compared": 3, "equal": 3}

    def test_who_changes_all_the_time_is_never_called_wrong(self, present: Present) -> None:
        order("lee", 5)
        first = step().body
        present.now += 60 * SECOND
        present.holds = present.now
        order("lee", 6)
        assert step(first["cursor"]).body["wrong"] == 0

    def test_where_nobody_tells_how_far_the_reader_is_a_doubt_waits_longer(
        self, table: StreamedTable, present: Present
    ) -> None:
        miscount(table, CUSTOMER("kim"), Orders=7)
        first = step().body
        present.now += 299 * SECOND
        second = step(first["cursor"]).body
        assert second["wrong"] == 0
        present.now += SECOND
        assert step(second["cursor"]).body["wrong"] == 1


@pytest.mark.usefixtures("ordered")
def test_what_says_that_it_lacks_something_is_neither_equal_nor_wrong(table: StreamedTable) -> None:
    item = table.get(keys.of(CUSTOMER("kim")))
    table.put_many([{**(item or {}), "Lacks": {"S": "a record came too late"}}])
    body = step().body
    assert counts(body) == {"compared": 2, "equal": 1, "lacking": 1}
    assert body["shown"][0]["dimensions"] == ["kim"]


@pytest.mark.usefixtures("ordered")
def test_what_has_too_many_sources_is_passed_over_and_not_called_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exactness, "READ_UNITS", 0)
    first = step().body
    assert (counts(first), first["ended"]) == ({"passed": 1}, False)
    second = step(first["cursor"]).body
    assert counts(second) == {"passed": 1}
    assert step(second["cursor"]).body["ended"]


@pytest.mark.usefixtures("ordered")
def test_a_step_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes a second, and there is time for few: the walk goes on all the same."""
    seconds = itertools.count()
    monkeypatch.setattr(exactness, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(exactness, "SECONDS", 4)
    bodies = [step().body]
    while not bodies[-1]["ended"]:
        bodies.append(step(bodies[-1]["cursor"]).body)
    assert len(bodies) > 1
    assert sum(body["compared"] + body["passed"] for body in bodies) == 2


def test_every_kind_that_is_listed_is_for_all_to_read() -> None:
    assert {kind.name for kind in LISTED} == {"DEVICE", "ROOM", "PLACE", "CUSTOMER", "PLAYER", "GAME", "EQUIPMENT"}
    assert ROOM in LISTED
    assert all(kind.readable_by_all for kind in LISTED)


@pytest.mark.parametrize("left", ["{}", "[]", '{"place": {"directory": "0"}, "doubts": [[["GONE", ["a"]], 1, "x"]]}'])
def test_a_cursor_of_a_release_that_kept_something_else_is_refused(left: str) -> None:
    cursor = runtime.cursors().encode({"route": "exactness"}, {"left": left})
    answer = AMY.call(ROUTE, {"cursor": cursor or ""})
    assert (answer.status, answer.fields) == (400, ["cursor"])


def test_the_catalog_names_what_a_doubt_names() -> None:
    assert CATALOG.named(CUSTOMER("kim").plain) == CUSTOMER("kim")
