"""Views of a shop, end to end: declared, kept from the stream, and read."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import assert_type

from delivery import NONE
from edgewise import consumer
from edgewise.views import Number, Rows, View, count, first_of, group_by, last_of
from tests.support.own_tables import NAME, TOLD, Shop
from tests.views.shop import SHOP, Bought, Customers, Order, Products, Sales, Shoppers, Tagged, put, told


class Seen(View, of=Order):
    product = group_by(Order.product)
    first, last = first_of(Order.placed), last_of(Order.placed)


def _shop() -> Shop:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(Customers, Sales, Products, Tagged, Shoppers)
    with shop.delivered():
        put(shop, "ann", 1, net=10, status="open", product="tea", tags=["new"], createdAt="2026-10-31T22:30:00Z")
        put(
            shop,
            "ann",
            2,
            net="20.50",
            status="paid",
            product="tea",
            tags=["new", "gift"],
            createdAt="2026-10-31T23:30:00Z",
        )
        put(shop, "bob", 1, net=None, status="open", product="tea", createdAt="2026-10-01T00:00:00Z")
        put(shop, "bob", 2, net=5, status="cancelled", product="mug", createdAt="2026-10-01T00:00:00Z")
    return shop


def test_a_row_has_what_its_group_counts_each_column_of_its_own_items() -> None:
    shop = _shop()
    ann = Customers.get(shop.table, customer="ann")
    assert told(ann.customer, ann.orders, ann.open) == ("ann", 2, 1)
    assert told(ann.net, ann.open_net, ann.mean) == (Decimal("30.5"), 10, Decimal("15.25"))
    assert told(ann.least, ann.greatest, ann.complete) == (10, Decimal("20.5"), True)
    nobody = Customers.get(shop.table, customer="nobody")
    assert told(nobody.orders, nobody.net, nobody.mean, nobody.least, nobody.complete) == (0, 0, None, None, True)


def test_a_row_has_the_types_of_its_measures_for_type_checkers_too() -> None:
    shop = _shop()
    ann = Customers.get(shop.table, customer="ann")
    assert isinstance(assert_type(ann, Customers).customer, str)
    assert isinstance(assert_type(ann.open, int), int)
    assert isinstance(assert_type(ann.net, Decimal), Decimal)
    assert isinstance(assert_type(ann.least, Decimal | None), Decimal)
    found = assert_type(Sales.between(shop.table, "2026-10", "2026-11", product="tea"), Rows[Sales])
    assert isinstance(assert_type(found.rows[0].buyers, int), int)
    assert assert_type(Order.net, Number).path == "price.net"


def test_first_and_last_are_instants() -> None:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(Seen)
    with shop.delivered():
        put(shop, "ann", 1, product="tea", createdAt="2026-10-31T23:30:00.000001+01:00")
        put(shop, "bob", 1, product="tea", createdAt=1_796_000_000)
        put(shop, "cy", 1, product="tea")
    row = Seen.get(shop.table, fresh=TOLD, product="tea")
    assert row.first == datetime(2026, 10, 31, 22, 30, 0, 1, tzinfo=UTC)
    assert row.last == datetime.fromtimestamp(1_796_000_000, UTC)
    nothing = Seen.get(shop.table, fresh=TOLD, product="mug")
    assert (nothing.first, nothing.last) == (None, None)


def test_null_is_counted_and_not_summed() -> None:
    bob = Customers.get(_shop().table, customer="bob")
    assert told(bob.orders, bob.net, bob.mean) == (2, 5, 5)


def test_periods_of_a_zone_are_read_by_one_query() -> None:
    shop = _shop()
    found = Sales.between(shop.table, "2026-10", "2026-11", fresh=TOLD, product="tea")
    assert found.complete
    assert [(row.product, row.month, row.orders, row.net, row.buyers) for row in found.rows] == [
        ("tea", "2026-10", 2, 10, 2),
        ("tea", "2026-11", 1, Decimal("20.5"), 1),
    ]


class Stages(View, of=Order):
    customer, product, status = group_by(Order.customer), group_by(Order.product), group_by(Order.status)
    orders = count()


def test_a_range_has_all_rows_of_its_last_key_and_none_behind_it() -> None:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(Stages)
    rows = [("mug", "#"), ("tea", ""), ("tea", "$"), ("tea", "\U0010ffff last"), ("tea ", "open"), ("tea#", "a")]
    with shop.delivered():
        for number, (product, status) in enumerate(rows):
            put(shop, "ann", number, product=product, status=status)
    found = Stages.between(shop.table, "mug", "tea", fresh=TOLD, customer="ann")
    assert [(row.product, row.status) for row in found.rows] == rows[:4]


def test_an_item_is_in_many_groups() -> None:
    shop = _shop()
    assert [Tagged.get(shop.table, tag=tag).orders for tag in ("new", "gift", "old")] == [2, 1, 0]
    shop_after = shop
    with shop_after.delivered():
        shop.owner.delete_item(TableName=NAME, Key={"pk": {"S": "ann"}, "sk": {"S": "order-2"}})
    row = Tagged.get(shop.table, fresh=TOLD, tag="new")
    assert told(row.orders, row.greatest, row.complete) == (1, 10, True)


def test_far_rows_are_counted() -> None:
    row = Products.get(_shop().table, product="tea")
    assert told(row.orders, row.net, row.complete) == (3, Decimal("30.5"), True)


def test_a_view_is_made_of_another_which_the_consumer_keeps_too() -> None:
    shop = _shop()
    assert Bought.get(shop.table, customer="ann", product="tea").orders == 2
    bob = Shoppers.get(shop.table, fresh=TOLD, customer="bob")
    assert told(bob.products, bob.orders, bob.most, bob.complete) == (2, 2, 1, True)
    assert consumer(Shoppers, Bought).table is SHOP
