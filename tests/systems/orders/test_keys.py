"""Keys of orders: as they are documented, and what stands before and behind them."""

from collections.abc import Callable

import pytest
from hypothesis import given

from functions.aggregates import keys as aggregate_keys
from functions.catalog import CATALOG
from functions.dynamodb.keys import Key
from functions.systems.orders import keys as orders_keys
from tests.support.keys import instants, names


@pytest.mark.parametrize(("key", "expected"), [(orders_keys.order("Padma", "o 1"), ("CUSTOMER#Padma", "ORDER#o$201"))])
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(("aggregate", "expected"), [(("CUSTOMER", ("Padma",)), ("CUSTOMER#Padma", "EDGE#"))])
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


class TestRoundTrips:
    @given(customer=names, order=names)
    def test_order(self, customer: str, order: str) -> None:
        assert orders_keys.parse_order(*orders_keys.order(customer, order)) == (customer, order)


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [(orders_keys.parse_order, ("CUSTOMER#a", "EDGE#")), (orders_keys.parse_order, ("PLAYER#a", "ORDER#o"))],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)


class TestBorders:
    @given(at=instants, start=instants, end=instants, order=names)
    def test_orders_opened_between_instants(self, at: int, start: int, end: int, order: str) -> None:
        key = orders_keys.opened(at, "c", order)
        low, high = orders_keys.opened_between(start, end)
        assert (low <= key <= high) == (start <= at < end)
        low, high = orders_keys.opened_between(None, None)
        assert low < key < high

    @given(at=instants, start=instants, end=instants, order=names)
    def test_orders_of_a_customer_opened_between_instants(self, at: int, start: int, end: int, order: str) -> None:
        key = orders_keys.dated(at, order)
        low, high = orders_keys.dated_between(start, end)
        assert (low <= key <= high) == (start <= at < end)
        low, high = orders_keys.dated_between(None, None)
        assert low < key < high
