"""Orders as items and back: everything a source holds survives."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from functions.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE, INDEXES
from functions.systems.orders import codec as orders_codec
from functions.systems.orders import keys as orders_keys
from functions.systems.orders.entity import Order
from tests.support.items import NOON, instants, names, numbers


@given(st.builds(Order, names, names, instants, numbers, st.none() | instants))
def test_order(order: Order) -> None:
    item = orders_codec.order_item(order)
    assert orders_codec.order(item) == order
    listed = [index for index in INDEXES if index.partition_key in item]
    assert listed == ([BY_TARGET] if order.shipped_at is not None else [BY_VALUE, BY_TARGET, BY_NUMBER])
    for index in listed:
        kept = {"PK", "SK", index.partition_key, index.sort_key, *index.projected}
        assert orders_codec.order({name: value for name, value in item.items() if name in kept}) == order


def test_every_order_points_at_its_customer_and_an_open_one_stands_in_two_indexes_more() -> None:
    order = Order("Padma", "o1", NOON, Decimal("9.50"))
    data = {"OpenedAt": {"S": "2018-08-29T12:00:00.000Z"}, "Amount": {"N": "9.50"}}
    always = {
        "PK": {"S": "CUSTOMER#Padma"},
        "SK": {"S": "ORDER#o1"},
        "Type": {"S": "ORDER"},
        "GSI2PK": {"S": "CUSTOMER#Padma"},
        "GSI2SK": {"S": "ORDER#2018-08-29T12:00:00.000Z#o1"},
    }
    assert orders_codec.order_item(order, 3) == always | {
        "Data": {"M": data},
        "GSI1PK": {"S": "OPEN_ORDERS#3"},
        "GSI1SK": {"S": orders_keys.opened(NOON, "Padma", "o1")},
        "GSI3PK": {"S": "OPEN#Padma"},
        "GSI3SK": {"N": "1535544000000"},
    }
    shipped = {"Data": {"M": data | {"ShippedAt": {"S": "2018-08-29T12:00:00.000Z"}}}}
    assert orders_codec.order_item(order.shipped(NOON)) == always | shipped
