"""Operators name whatever a view keeps by a kind and dimensions: rows, entries, edges, and what is ranked."""

from collections.abc import Iterator
from typing import Any

import pytest

from delivery import NONE
from edgewise.views import View, count, distinct, group_by, max_of, month_of, top
from tests.support.own_tables import Shop
from tests.views.shop import SHOP, Bought, Customers, Order, Products, Sales, Shoppers, Tagged, put


class Months(View, of=Order):
    month = group_by(month_of(Order.placed))
    greatest = max_of(Order.net)


class Choices(View, of=Order):
    customer = group_by(Order.customer)
    products = distinct(Order.product)


class Best(View, of=Order):
    orders = count()
    products = top(Order.product, by=orders)


class Favourites(View, of=Order):
    customer = group_by(Order.customer)
    orders = count()
    products = top(Order.product, by=orders)


@pytest.fixture
def shop() -> Iterator[Shop]:
    shop, order = (
        Shop(SHOP, 1, NONE),
        {"net": 5, "status": "open", "tags": ["new"], "createdAt": "2026-11-30T00:00:00Z"},
    )
    shop.deploy(Customers, Sales, Products, Tagged, Shoppers, Months, Choices, Best, Favourites)
    with shop.delivered():
        put(shop, "ann", 1, product="tea", **order)
        put(shop, "ann", 2, product="mug", **order)
        shop.drain()
        yield shop


def _recount(shop: Shop, view: type[View], kept: str, *dimensions: str) -> Any:
    return shop.command(do="recount", kind=view.declared.full_name + kept, dimensions=list(dimensions))


def test_what_queries_find_is_recounted(shop: Shop) -> None:
    for view, kept, dimensions, sources in (
        (Customers, "", ["ann"], 2),
        (Bought, "", ["ann", "tea"], 2),
        (Shoppers, "", ["ann"], 2),
        (Sales, "", ["tea", "2026-11"], 1),
        (Tagged, "", ["new"], 2),
        (Tagged, "-ITEM", ["new", "ann", "order-1"], 1),
        (Months, "", ["all", "2026-11"], 2),
        (Months, "-ITEM", ["all", "2026-11", "ann", "order-2"], 1),
        (Choices, "", ["ann"], 2),
        (Choices, "-products", ["ann", "mug"], 2),
        (Favourites, "-products", ["ann", "tea"], 2),
    ):
        found = _recount(shop, view, kept, *dimensions)
        assert (found.get("equal"), found.get("sources")) == (True, sources), (view, kept, found)


def test_for_all_else_it_says_so(shop: Shop) -> None:
    for view, kept, dimensions in (
        (Products, "", ["tea"]),
        (Sales, "-buyers", ["tea", "2026-11", "ann"]),
        (Best, "", ["all"]),
        (Best, "-products", ["all", "tea"]),
    ):
        found = _recount(shop, view, kept, *dimensions)
        assert "has sources that no query finds: only a scan of the table could count them" in found["error"]
    assert "2 given, needed are" in _recount(shop, Customers, "", "all", "ann")["error"]
