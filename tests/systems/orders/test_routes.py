"""Orders over HTTP: placed, sent again, shipped, listed."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.support.clocks import NOON, Clock
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers", "clock")

POST, SHIP = "POST /customers/{customer}/orders", "POST /customers/{customer}/orders/{order}/ship"
LIST, OPEN = "GET /customers/{customer}/orders", "GET /orders/open"
APP, READER = Client(groups=("write",)), Client("bob")
LATER = "2018-08-29T12:00:01.000Z"
EARLIER = "2018-08-01T00:00:00.000Z"
ODD_IDS = ["a/b", "50%", "日本 #1", "EDGE#", "x" * 200, "é" * 200, "o\U0001f600"]


def post(customer: str = "Padma", **body: Any) -> Answer:
    return APP.call(POST, None, {"amount": 9.5} | body, customer=customer)


def ship(order: str = "o1", customer: str = "Padma") -> Answer:
    return APP.call(SHIP, None, None, customer=customer, order=order)


def listed(customer: str = "Padma", **query: str) -> Answer:
    return READER.call(LIST, query, customer=customer)


def ids(answer: Answer) -> list[str]:
    return [order["order_id"] for order in answer.body["orders"]]


class TestPlacing:
    def test_an_order_is_opened_now_under_an_id_of_its_own(self) -> None:
        answers = [post(), post()]
        assert [answer.status for answer in answers] == [201, 201]
        order = answers[0].body
        assert order | {"order_id": ""} == {
            "customer": "Padma",
            "order_id": "",
            "opened_at": NOON,
            "amount": Decimal("9.5"),
            "shipped_at": None,
        }
        assert sorted(ids(listed())) == sorted(answer.body["order_id"] for answer in answers)
        assert len(set(ids(listed()))) == 2

    def test_sending_it_again_changes_nothing(self, table: StreamedTable, clock: Clock) -> None:
        first = post(order_id="o1")
        before = table.all_items()
        clock.show(LATER)
        again = post(order_id="o1")
        assert (again.status, again.body) == (200, first.body)
        assert table.all_items() == before

    def test_nor_does_it_open_again_what_was_shipped(self) -> None:
        post(order_id="o1", opened_at=EARLIER)
        shipped = ship()
        again = post(order_id="o1", opened_at=EARLIER)
        assert (again.status, again.body) == (200, shipped.body)

    @pytest.mark.parametrize("other", [{"amount": 9.51}, {"amount": 0}, {"opened_at": EARLIER}])
    def test_another_order_under_the_same_id_is_a_conflict(self, table: StreamedTable, other: dict[str, Any]) -> None:
        post(order_id="o1")
        before = table.all_items()
        answer = post(order_id="o1", **other)
        assert (answer.status, answer.body["detail"]) == (409, "another order 'o1' already exists")
        assert table.all_items() == before

    def test_an_id_is_the_customers_own(self) -> None:
        assert [post(customer, order_id="o1").status for customer in ("Padma", "Rick")] == [201, 201]

    @pytest.mark.parametrize("instant", [NOON, 1535544000, "2018-08-29T14:00:00+02:00", "2018-08-29T12:00:00.0009Z"])
    def test_instants_are_told_in_utc(self, instant: Any, clock: Clock) -> None:
        clock.show(LATER)
        assert post(opened_at=instant).body["opened_at"] == NOON

    def test_amounts_are_exact(self) -> None:
        digits = "1234567890123.123456789012345678"
        answer = APP.call(POST, None, f'{{"order_id": "o1", "amount": {digits}}}', customer="Padma")
        assert answer.body["amount"] == Decimal(digits)
        assert listed(status="open").body["orders"][0]["amount"] == Decimal(digits)


class TestShipping:
    def test_once(self, clock: Clock) -> None:
        post(order_id="o1")
        clock.show(LATER)
        answer = ship()
        assert (answer.status, answer.body["shipped_at"], answer.body["opened_at"]) == (200, LATER, NOON)
        clock.show("2018-09-01T00:00:00.000Z")
        again = ship()
        assert (again.status, again.body) == (200, answer.body)
        assert listed().body["orders"] == [answer.body]

    def test_unknown_orders_are_404(self) -> None:
        post("Rick", order_id="o1")
        assert (ship().status, ship().body["detail"]) == (404, "there is no order 'o1'")


class TestLists:
    @pytest.fixture(autouse=True)
    def placed(self, clock: Clock, drain: Callable[[], None]) -> None:
        for order, day in (("a", 3), ("b", 1), ("c", 2), ("d", 4)):
            post(order_id=order, opened_at=f"2018-08-0{day}T00:00:00Z", amount=day)
        post("Rick", order_id="a", opened_at="2018-08-02T12:00:00Z")
        ship("d")
        drain()

    def test_all_orders_of_a_customer_by_id_after_the_numbers(self) -> None:
        answer = listed()
        assert answer.body["summary"] == {"orders": 4, "amount": 10, "open": 3, "open_amount": 6}
        assert ids(answer) == ["a", "b", "c", "d"]
        assert [order["shipped_at"] for order in answer.body["orders"]] == [None, None, None, NOON]
        assert answer.cost[0] == 1

    def test_in_pages(self) -> None:
        first = listed(limit="2")
        second = listed(limit="10", cursor=first.body["cursor"])
        assert (ids(first), ids(second)) == (["a", "b"], ["c", "d"])
        assert (second.body["summary"], second.body["cursor"]) == (None, None)

    @pytest.mark.parametrize(("order", "expected"), [("asc", "bca"), ("desc", "acb")])
    def test_open_orders_of_a_customer_by_date(self, order: str, expected: str) -> None:
        answer = listed(status="open", order=order)
        assert ids(answer) == list(expected)
        assert (answer.body["summary"], answer.cost[0]) == (None, 1)

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ({"order": "asc"}, "bcad"),
            ({"order": "desc"}, "dacb"),
            ({"from": "2018-08-02T00:00:00Z"}, "cad"),
            ({"to": "2018-08-02T00:00:00Z"}, "b"),
            ({"from": "2018-08-02T00:00:00Z", "to": "2018-08-04T00:00:00Z"}, "ca"),
            ({"from": "2018-08-02T00:00:00Z", "to": "2018-08-04T00:00:00Z", "order": "desc"}, "ac"),
            ({"from": "2018-08-04T00:00:00.001Z"}, ""),
        ],
    )
    def test_orders_of_a_customer_before_after_and_between_dates(self, query: dict[str, str], expected: str) -> None:
        """Open and shipped ones, in one request; with status=open, only those."""
        answer = listed(**query)
        assert (ids(answer), answer.body["summary"], answer.cost[0]) == (list(expected), None, 1)
        shipped = {order["order_id"]: order["shipped_at"] for order in answer.body["orders"]}
        assert shipped == {name: NOON if name == "d" else None for name in expected}
        still_open = listed(status="open", **query)
        assert (ids(still_open), still_open.cost[0]) == ([name for name in expected if name != "d"], 1)

    def test_those_by_date_in_pages(self) -> None:
        first = listed(order="desc", limit="3")
        second = listed(order="desc", limit="3", cursor=first.body["cursor"])
        assert (ids(first), ids(second), second.body["cursor"]) == (["d", "a", "c"], ["b"], None)
        for other in ({"order": "asc"}, {"from": "2018-08-01T00:00:00Z"}, {"status": "open", "order": "desc"}):
            assert listed(cursor=first.body["cursor"], **other).fields == ["cursor"]

    def test_an_order_keeps_its_date_when_it_is_sent_again(self, clock: Clock) -> None:
        post(order_id="e")
        clock.show(LATER)
        assert post(order_id="e").status == 200
        assert ids(listed(**{"from": NOON})) == ["e"]
        assert ids(listed(**{"from": LATER})) == []

    def test_oldest_first_is_the_default(self) -> None:
        assert ids(listed(status="open")) == ["b", "c", "a"]

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ({}, "bcaa"),
            ({"from": "2018-08-02T00:00:00Z"}, "caa"),
            ({"to": "2018-08-02T00:00:00Z"}, "b"),
            ({"from": "2018-08-02T00:00:00Z", "to": "2018-08-03T00:00:00Z"}, "ca"),
            ({"from": "2018-08-04T00:00:00Z"}, ""),
        ],
    )
    def test_open_orders_of_all_customers(self, query: dict[str, str], expected: str) -> None:
        answer = READER.call(OPEN, query)
        assert (ids(answer), answer.cost[0]) == (list(expected), 1)

    def test_those_in_pages(self) -> None:
        found: list[tuple[str, str]] = []
        cursor: dict[str, str] = {}
        while True:
            page = READER.call(OPEN, {"limit": "1"} | cursor).body
            found += [(order["customer"], order["order_id"]) for order in page["orders"]]
            if page["cursor"] is None:
                break
            cursor = {"cursor": page["cursor"]}
        assert found == [("Padma", "b"), ("Padma", "c"), ("Rick", "a"), ("Padma", "a")]

    def test_a_cursor_belongs_to_its_list(self) -> None:
        cursor = listed(limit="1").body["cursor"]
        for answer in (listed(status="open", cursor=cursor), READER.call(OPEN, {"cursor": cursor})):
            assert (answer.status, answer.fields) == (400, ["cursor"])

    def test_customers_with_similar_names_are_kept_apart(self) -> None:
        post("Padma#", order_id="x")
        post("Padm", order_id="y")
        assert ids(listed(status="open")) == ["b", "c", "a"]

    def test_who_has_nothing_open_has_an_empty_list(self) -> None:
        ship("a", "Rick")
        assert listed("Rick", status="open").body["orders"] == []


@pytest.mark.parametrize("odd", ODD_IDS)
def test_ids_of_any_text(odd: str) -> None:
    assert post(odd, order_id=odd).status == 201
    for answer in (listed(odd), listed(odd, status="open"), READER.call(OPEN)):
        (order,) = answer.body["orders"]
        assert (order["customer"], order["order_id"]) == (odd, odd)
    assert ship(odd, odd).status == 200
