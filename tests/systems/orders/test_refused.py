"""What is refused of orders, by the name of the field at fault."""

from typing import Any

import pytest

from tests.support.clocks import NOON
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers", "clock")

POST, SHIP = "POST /customers/{customer}/orders", "POST /customers/{customer}/orders/{order}/ship"
LIST, OPEN = "GET /customers/{customer}/orders", "GET /orders/open"
APP, READER = Client(groups=("write",)), Client("bob")


def post(customer: str = "Padma", **body: Any) -> Answer:
    return APP.call(POST, None, {"amount": 9.5} | body, customer=customer)


def ship(order: str, customer: str = "Padma") -> Answer:
    return APP.call(SHIP, None, None, customer=customer, order=order)


def listed(customer: str = "Padma", **query: str) -> Answer:
    return READER.call(LIST, query, customer=customer)


BAD = {
    "no amount": ({"amount": None}, "amount"),
    "negative": ({"amount": -0.01}, "amount"),
    "text": ({"amount": "9.5"}, "amount"),
    "boolean": ({"amount": True}, "amount"),
    "14 digits": ({"amount": 10**13}, "amount"),
    "unknown field": ({"amout": 1}, "amout"),
    "empty id": ({"order_id": ""}, "order_id"),
    "id of 201 characters": ({"order_id": "x" * 201}, "order_id"),
    "id too long when escaped": ({"order_id": "€#" * 134}, "order_id"),
    "control character": ({"order_id": "a\x00"}, "order_id"),
    "half a surrogate pair": ({"order_id": "\ud800"}, "order_id"),
    "id is a number": ({"order_id": 7}, "order_id"),
    "future": ({"opened_at": "2018-08-29T12:00:00.001Z"}, "opened_at"),
    "no offset": ({"opened_at": "2018-08-29T12:00:00"}, "opened_at"),
    "no day": ({"opened_at": "2018-02-30T00:00:00Z"}, "opened_at"),
    "a boolean for an instant": ({"opened_at": True}, "opened_at"),
    "shipped by hand": ({"shipped_at": NOON}, "shipped_at"),
}


@pytest.mark.parametrize(("wrong", "field"), BAD.values(), ids=BAD.keys())
def test_a_wrong_order_is_400_by_name_and_nothing_is_stored(table: StreamedTable, wrong: Any, field: str) -> None:
    answer = post(**wrong)
    assert (answer.status, answer.fields, table.all_items()) == (400, [field], [])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ("{", "body"),
        ("[]", "body"),
        ('{"amount": NaN}', "amount"),
        ('{"amount": Infinity}', "amount"),
        ("{}", "amount"),
    ],
)
def test_a_body_that_is_no_order_is_400(body: str, field: str) -> None:
    answer = APP.call(POST, None, body, customer="Padma")
    assert (answer.status, answer.fields) == (400, [field])


@pytest.mark.parametrize("wrong", ["x" * 201, "a\nb", "\x7f"])
def test_ids_in_the_path_are_checked(wrong: str) -> None:
    for answer in (post(wrong), listed(wrong), ship("o1", wrong)):
        assert (answer.status, answer.fields) == (400, ["customer"])
    assert (ship(wrong).status, ship(wrong).fields) == (400, ["order"])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"status": "shipped"}, "status"),
        ({"order": "up"}, "order"),
        ({"from": "yesterday"}, "from"),
        ({"status": "open", "to": "nan"}, "to"),
        ({"from": NOON, "to": NOON}, "to"),
        ({"status": "open", "from": NOON, "to": "2018-08-01T00:00:00Z"}, "to"),
        ({"status": "open", "order": "up"}, "order"),
        ({"limit": "0"}, "limit"),
        ({"limit": "1001"}, "limit"),
        ({"cursor": "x"}, "cursor"),
    ],
)
def test_a_wrong_question_is_400(query: dict[str, str], field: str) -> None:
    answer = listed(**query)
    assert (answer.status, answer.fields) == (400, [field])


@pytest.mark.parametrize(
    ("query", "field"),
    [({"from": "yesterday"}, "from"), ({"to": "nan"}, "to"), ({"from": NOON, "to": NOON}, "to")],
)
def test_a_wrong_period_is_400(query: dict[str, str], field: str) -> None:
    answer = READER.call(OPEN, query)
    assert (answer.status, answer.fields) == (400, [field])


def test_only_applications_that_write_may(table: StreamedTable) -> None:
    for route in (POST, SHIP):
        assert READER.call(route, None, {"amount": 1}, customer="Padma", order="o1").status == 403
    assert table.all_items() == []
