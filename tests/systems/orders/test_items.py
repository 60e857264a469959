"""Orders as items and back: everything a source holds survives."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb.keys import digest
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE, INDEXES
from functions.systems.orders.entity import Order
from functions.systems.orders.items import AMONG_ALL_OPEN, BY_DATE, OPEN_OF_CUSTOMER, ORDER
from tests.support.items import NOON, instants, names, numbers
from tests.support.queries import BETWEEN, BY_TIME, sent
from tests.support.queries import BY_NUMBER as BY_NUMBER_KEYS
from tests.support.queries import BY_TARGET as BY_TARGET_KEYS


@given(st.builds(Order, names, names, instants, numbers, st.none() | instants))
def test_order(order: Order) -> None:
    item = ORDER.encode(order)
    assert ORDER.decode(item) == order
    listed = [index for index in INDEXES if index.partition_key in item]
    assert listed == ([BY_TARGET] if order.shipped_at is not None else [BY_VALUE, BY_TARGET, BY_NUMBER])
    for index in listed:
        kept = {"PK", "SK", index.partition_key, index.sort_key, *index.projected}
        assert ORDER.decode({name: value for name, value in item.items() if name in kept}) == order


def test_every_order_points_at_its_customer_and_an_open_one_stands_in_two_indexes_more() -> None:
    order = Order("Padma", "o1", NOON, Decimal("9.50"))
    data = {"OpenedAt": {"S": "2018-08-29T12:00:00.000Z"}, "Amount": {"N": "9.5"}}
    always = {
        "PK": {"S": "CUSTOMER#Padma"},
        "SK": {"S": "ORDER#o1"},
        "Type": {"S": "ORDER"},
        "GSI2PK": {"S": "CUSTOMER#Padma"},
        "GSI2SK": {"S": "ORDER#2018-08-29T12:00:00.000Z#o1"},
    }
    assert ORDER.encode(order, 3) == always | {
        "Data": {"M": data},
        "GSI1PK": {"S": "OPEN_ORDERS#3"},
        "GSI1SK": {"S": f"2018-08-29T12:00:00.000Z#{digest('Padma', 'o1')}"},
        "GSI3PK": {"S": "OPEN#Padma"},
        "GSI3SK": {"N": "1535544000000"},
    }
    shipped = {"Data": {"M": data | {"ShippedAt": {"S": "2018-08-29T12:00:00.000Z"}}}}
    assert ORDER.encode(order.shipped(NOON)) == always | shipped


@pytest.mark.parametrize("key", [("CUSTOMER#a", "EDGE#"), ("PLAYER#a", "ORDER#o"), ("CUSTOMER#a#b", "ORDER#o")])
def test_keys_of_another_kind_are_refused(key: tuple[str, str]) -> None:
    item = ORDER.encode(Order("a", "o", NOON, Decimal(1))) | {"PK": {"S": key[0]}, "SK": {"S": key[1]}}
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        ORDER.decode(item)


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        ([ORDER.with_summary("Padma")], [sent("CUSTOMER#Padma", BETWEEN, low="EDGE#", high="ORDER$")]),
        ([OPEN_OF_CUSTOMER.query("Padma", forward=False)], [sent("OPEN#Padma", "#pk = :pk", BY_NUMBER_KEYS, False)]),
        (
            [BY_DATE.query("Padma", start=NOON)],
            [sent("CUSTOMER#Padma", BETWEEN, BY_TARGET_KEYS, low="ORDER#2018-08-29T12:00:00.000Z", high="ORDER#:")],
        ),
        (
            AMONG_ALL_OPEN.in_shards(["OPEN_ORDERS#1", "OPEN_ORDERS#2"], start=NOON),
            [
                sent(f"OPEN_ORDERS#{shard}", BETWEEN, BY_TIME, low="2018-08-29T12:00:00.000Z", high=":")
                for shard in (1, 2)
            ],
        ),
    ],
)
def test_queries_are_sent_literally(queries: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in queries] == expected
