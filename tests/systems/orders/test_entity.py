"""What is counted of orders, and when two are the same."""

from dataclasses import replace
from decimal import Decimal

import pytest

from edgewise.aggregates.measures import Observation
from functions.catalog import CATALOG
from functions.systems.orders import system as orders_system
from functions.systems.orders.entity import Order

OPEN = Order("Padma", "o1", 1_000, Decimal("9.5"))
CUSTOMER = orders_system.CUSTOMER("Padma")
SEEN = Observation(amount=Decimal("9.5"))


def test_an_open_order_counts_twice_a_shipped_one_once() -> None:
    assert CATALOG.contributions("ORDER", OPEN) == {CUSTOMER: {"Orders": SEEN, "Open": SEEN}}
    assert CATALOG.contributions("ORDER", OPEN.shipped(2_000)) == {CUSTOMER: {"Orders": SEEN}}


def test_shipping_at_the_beginning_of_time_is_shipping_too() -> None:
    assert CATALOG.contributions("ORDER", OPEN.shipped(0)) == {CUSTOMER: {"Orders": SEEN}}


def test_an_order_was_placed_as_it_stands_however_it_went_on() -> None:
    assert OPEN.placed_as(OPEN.shipped(2_000))
    assert OPEN.shipped(2_000).placed_as(OPEN)


@pytest.mark.parametrize(
    "other",
    [
        replace(OPEN, customer="Rick"),
        replace(OPEN, id="o2"),
        replace(OPEN, opened_at=1_001),
        replace(OPEN, amount=Decimal("9.51")),
    ],
)
def test_another_order_is_another(other: Order) -> None:
    assert not OPEN.placed_as(other)
