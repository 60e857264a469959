"""Rows are read by a hundred, listed, added up, and say as one whether they are complete."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest

from delivery import NONE
from edgewise.dynamodb.table import Table
from edgewise.views import View, count, day_of, distinct, each_of, first_of, group_by, max_of, mean_of, min_of, sum_of
from tests.support.own_tables import TOLD, Shop
from tests.views.shop import SHOP, Bought, Customers, Order, Products, Sales, put, told


class Days(View, of=Order):
    day = group_by(day_of(Order.placed))
    orders, open, net, mean = count(), count(where=Order.status == "open"), sum_of(Order.net), mean_of(Order.net)
    least, greatest, first, buyers = (
        min_of(Order.net),
        max_of(Order.net),
        first_of(Order.placed),
        distinct(Order.customer),
    )


class Tags(View, of=Order):
    product, tag = group_by(Order.product), group_by(each_of(Order.tags))
    orders, greatest = count(), max_of(Order.net)


class Everyone(View, of=Customers):
    customers = distinct(Customers.customer)


def _shop(*views: type[View]) -> Shop:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(*views)
    with shop.delivered():
        for number, (customer, net, status, product) in enumerate(
            [
                ("ann", 10, "open", "tea"),
                ("ann", 25, "paid", "mug"),
                ("bob", 7, "open", "tea"),
                ("cy", None, "open", "tea"),
            ]
        ):
            at = f"2026-11-{10 + number}T12:00:00Z"
            put(shop, customer, number, net=net, status=status, product=product, tags=["a", "b"], createdAt=at)
    return shop


def test_a_hundred_rows_are_read_in_one_request_in_the_order_asked_for() -> None:
    shop = _shop(Customers)
    asked = [{"customer": name} for name in ("bob", "nobody", "ann", "bob", *map(str, range(96)))]
    with patch.object(shop.engine, "batch_get_item", wraps=shop.engine.batch_get_item) as requests:
        found = Customers.read_many(shop.table, asked)
    assert requests.call_count == 1
    assert [(row.customer, row.orders, row.complete) for row in found.rows[:3]] == [
        ("bob", 1, True),
        ("nobody", 0, True),
        ("ann", 2, True),
    ]
    assert (len(found.rows), found.complete) == (99, True)
    assert told(found.total().orders, found.total().net) == (3, 42)
    with pytest.raises(ValueError, match="Customers: at most 100 rows are read at once, not 101"):
        Customers.read_many(shop.table, [{"customer": str(number)} for number in range(101)])


def test_rows_are_as_complete_as_all_of_them() -> None:
    shop = _shop(Customers)
    with shop.delivered():
        put(shop, "bob", 9, net="seven")
    found = Customers.read_many(shop.table, [{"customer": "ann"}, {"customer": "bob"}])
    assert [row.complete for row in found.rows] == [True, False]
    assert told(found.complete, found.total().complete) == (False, False)
    assert Customers.read_many(shop.table, [{"customer": "ann"}]).total().complete is True


def test_the_groups_that_exist_are_listed() -> None:
    shop = _shop(Days, Tags, Bought)
    with shop.delivered():
        shop.owner.delete_item(TableName="shop", Key={"pk": {"S": "cy"}, "sk": {"S": "order-3"}})
    days = Days.groups(shop.table, fresh=TOLD)
    assert [row.day for row in days.rows] == ["2026-11-10", "2026-11-11", "2026-11-12"]
    assert [(row.tag, row.orders) for row in Tags.groups(shop.table, fresh=TOLD, product="tea").rows] == [
        ("a", 2),
        ("b", 2),
    ]
    assert [row.product for row in Bought.groups(shop.table, customer="ann").rows] == ["mug", "tea"]
    nobody = Bought.groups(shop.table, customer="nobody")
    assert told(nobody.rows, nobody.complete, nobody.total().orders) == ([], True, 0)


def test_a_list_is_incomplete_while_a_group_may_lack_something() -> None:
    shop = _shop(Bought)
    with shop.delivered():
        put(shop, "dan", 1, net="seven", product="tea")
    assert Bought.groups(shop.table, customer="dan").complete is False
    assert Bought.groups(shop.table, customer="ann").complete is False, (
        "it might be one of hers, for all that names tell"
    )


def test_the_values_that_are_different_are_listed() -> None:
    shop = _shop(Customers, Everyone, Days)
    found = Everyone.values(shop.table, Everyone.customers, fresh=TOLD)
    assert told(found.values, found.complete) == (["ann", "bob", "cy"], True)
    assert Everyone.values(shop.table, Everyone.customers).complete is False, "the engine feeds it by items of its own"
    assert Days.values(shop.table, Days.buyers, day="2026-11-10").values == ["ann"]
    with shop.delivered():
        put(shop, "cy", 3, net="seven")
    assert Everyone.values(shop.table, Everyone.customers, fresh=TOLD).complete is False


def test_a_total_is_what_the_rows_come_to_together() -> None:
    shop = _shop(Days)
    row = Days.between(shop.table, "2026-11-10", "2026-11-12", fresh=TOLD).total()
    assert told(row.orders, row.open, row.net, row.mean, row.complete) == (3, 2, 42, 14, True)
    assert told(row.least, row.greatest, row.first) == (7, 25, datetime(2026, 11, 10, 12, tzinfo=UTC))
    assert row.as_of == TOLD.as_of(next(iter(_kinds(Days))))
    assert isinstance(row.net, Decimal)
    nothing = Days.between(shop.table, "2027", "2028", fresh=TOLD).total()
    assert told(nothing.orders, nothing.net, nothing.mean, nothing.least) == (0, 0, None, None)
    assert repr(nothing).startswith("Days(orders=0")


def _kinds(view: type[View]) -> Any:
    from edgewise.views.view import kept

    return reversed(kept(view.declared).kinds)


def test_what_rows_do_not_have_together_is_refused_with_the_reason() -> None:
    shop = _shop(Days, Tags)
    days, tags = Days.groups(shop.table).total(), Tags.groups(shop.table, product="tea").total()
    with pytest.raises(AttributeError, match=r"Days.buyers: rows don't tell which values they have in common"):
        _ = days.buyers
    with pytest.raises(AttributeError, match=r"Days.day: rows that differ in it have none together"):
        _ = days.day
    with pytest.raises(AttributeError, match=r"Tags.orders: one item is in several groups by tag"):
        _ = tags.orders
    assert told(tags.product, tags.greatest) == ("tea", 10)


def test_what_nothing_lists_is_refused_with_what_to_write() -> None:
    table: Any = Table("shop", object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"Customers: give customer, .* make a view of it that has distinct\("):
        Customers.groups(table)
    with pytest.raises(TypeError, match=r"Products: give product, .* declare Products with recountable=True, and"):
        Products.groups(table)
    with pytest.raises(TypeError, match="Customers: all keys are those of one row, which get reads"):
        Customers.groups(table, customer="ann")
    with pytest.raises(TypeError, match=r'Tags is asked for product="\.\.\.", and got tag='):
        Tags.groups(table, tag="a")
    with pytest.raises(TypeError, match=r"Sales.orders is no distinct\(\.\.\.\) of Sales"):
        Sales.values(table, Sales.orders)
