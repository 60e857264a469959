"""What one view can't read is set aside for that view, and for what is made of it; all others count it."""

from typing import Any

from delivery import NONE
from edgewise.views import View, count, group_by, sum_of, top
from tests.support.own_tables import TOLD, Shop
from tests.views.shop import SHOP, Bought, Customers, Order, Products, Sales, Shoppers, Tagged, put, told


class Statuses(View, of=Order):
    status = group_by(Order.status)
    orders = count()


class Amounts(View, of=Order, where=Order.status == "open"):
    customer = group_by(Order.customer)
    net = sum_of(Order.net)


class Regulars(View, of=Bought, where=Bought.orders >= 1):
    customer = group_by(Bought.customer)
    orders = count()


class Mugs(View, of=Bought, where=Bought.product == "mug"):
    customer = group_by(Bought.customer)
    orders = count()


class Favourites(View, of=Bought):
    orders = sum_of(Bought.orders)
    products = top(Bought.product, by=orders)


def _told(shop: Shop, view: Any, **keys: str) -> tuple[int, bool]:
    row = view.get(shop.table, fresh=TOLD, **keys)
    return row.orders, row.complete


def test_other_views_count_what_one_can_not_read() -> None:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(Customers, Statuses, Products, Tagged, Shoppers, Amounts)
    with shop.delivered():
        put(shop, "ann", 1, net=10, status="open", product="tea", tags=["new"])
        put(shop, "ann", 2, net="twelve", status="open", product="tea", tags=["new"])
        put(shop, "bob", 1, net=5, status="paid", product="mug", tags=["gift"])
        put(shop, "cy", 1, net="twelve", status="paid", product="pot")
    assert _told(shop, Statuses, status="open") == (2, True)
    assert _told(shop, Customers, customer="ann") == (1, False)
    assert _told(shop, Customers, customer="bob") == (1, True)
    assert _told(shop, Products, product="tea") == (1, False)
    assert _told(shop, Products, product="mug") == (1, True)
    assert _told(shop, Bought, customer="ann", product="tea") == (1, False)
    assert Tagged.get(shop.table, fresh=TOLD, tag="new").complete is False
    assert Tagged.get(shop.table, fresh=TOLD, tag="gift").complete is True
    # Made of rows of which one lacks something: nobody knows which of its own rows lack that.
    assert Shoppers.get(shop.table, fresh=TOLD, customer="ann").complete is False
    assert Amounts.get(shop.table, customer="ann").complete is False
    assert Amounts.get(shop.table, customer="cy").complete is True, "its condition says that it is not counted"
    (aside, other) = shop.command(do="list")["records"]
    names = {view.declared.full_name for view in (Customers, Products, Tagged, Bought, Amounts)}
    told = dict(fault.split(": ", 1) for fault in aside["error"].split("; ") + other["error"].split("; "))
    assert told.keys() == names
    assert told[Customers.declared.full_name] == "ValueError: price.net must be a number, and is another text"


def test_rows_that_lose_what_was_stored_before_they_counted_say_so_however_they_are_fed() -> None:
    shop = Shop(SHOP, 1, NONE)
    order: Any = {"status": "open", "product": "tea", "tags": ["new"], "createdAt": "2026-11-30T00:00:00Z"}
    with shop.before():
        put(shop, "ann", 1, net=100, **order)
    shop.deploy(Customers, Products, Sales, Tagged, Shoppers, Regulars, Mugs, Favourites)
    with shop.delivered():
        put(shop, "ann", 1, net=90, **order)
        put(shop, "bob", 1, net=5, **(order | {"product": "mug", "tags": ["old"]}))
    asked: list[tuple[Any, dict[str, str], dict[str, str]]] = [
        (Customers, {"customer": "ann"}, {"customer": "bob"}),
        (Products, {"product": "tea"}, {"product": "mug"}),
        (Sales, {"product": "tea", "month": "2026-11"}, {"product": "mug", "month": "2026-11"}),
        (Tagged, {"tag": "new"}, {"tag": "old"}),
        (Bought, {"customer": "ann", "product": "tea"}, {"customer": "bob", "product": "mug"}),
        (Shoppers, {"customer": "ann"}, {"customer": "bob"}),
        (Regulars, {"customer": "ann"}, {"customer": "bob"}),
    ]
    for view, lacking, whole in asked:
        assert _told(shop, view, **lacking)[1] is False, view
        assert _told(shop, view, **whole) == (1, True), view
    assert _told(shop, Mugs, customer="ann") == (0, True), "whatever it has lost, it is tea"
    assert Sales.between(shop.table, "2026-01", "2026-12", fresh=TOLD, product="tea").complete is False
    found = Favourites.ranking(shop.table, Favourites.products, fresh=TOLD)
    assert ([each.member for each in found.standings], found.complete) == (["mug"], False), "tea may be before it"


def test_once_it_can_be_read_it_is_counted_everywhere() -> None:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(Customers, Statuses)
    with shop.delivered():
        put(shop, "ann", 1, net="twelve", status="open")
        put(shop, "ann", 2, net=5, status="open")
        shop.drain()
        # Whatever it was, it is replaced: but the record that says so takes back what nobody could read.
        put(shop, "ann", 1, net=12, status="open")
        shop.drain()
        assert _told(shop, Statuses, status="open") == (2, True)
        assert _told(shop, Customers, customer="ann")[1] is False
        for record in shop.command(do="list")["records"]:
            shop.command(do="discard", shard=record["shard"], sequence=record["sequence"])
        shop.wait(3600)
        found = shop.command(do="recount", kind=Customers.declared.full_name, dimensions=["ann"], repair=True)
        assert found["sources"] == 2
    row = Customers.get(shop.table, fresh=TOLD, customer="ann")
    assert told(row.orders, row.net, row.least, row.complete) == (2, 17, 5, True)
