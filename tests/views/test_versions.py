"""A declaration has a version, which its rows stand below: a changed view is another one."""

from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest

from delivery import NONE
from edgewise.views import Instant, Items, Number, Text, View, count, distinct, group_by, month_of, sum_of, zones
from tests.support.own_tables import TOLD, Shop
from tests.views.shop import SHOP, Bought, Customers, Order, Sales, Shoppers, put

# Changing one of these loses the rows of all who have declared it so: a release may only do that with another FORMAT.
CANONICAL = {
    Sales: (
        '{"format":1,"keys":[["product",["by",["text","product"]]],'
        '["month",["month",["instant","createdAt"],"Europe/Berlin","92fafb5a9e4ed107"]]],'
        '"measures":{"buyers":["distinct",["text","pk"],null],"net":["sum",["number","price.net"],null],'
        '"orders":["count",null,null]},"of":{"starts":"order-","where":null},"recountable":false,'
        '"where":["not",["=",["text","status"],"cancelled"]]}'
    ),
    Bought: (
        '{"format":1,"keys":[["customer",["by",["text","pk"]]],["product",["by",["text","product"]]]],'
        '"measures":{"net":["sum",["number","price.net"],null],"orders":["count",null,null]},'
        '"of":{"starts":"order-","where":null},"recountable":false,"where":null}'
    ),
}
VERSIONS = {Customers: "1a738ad315", Sales: "0e0891ae3c", Bought: "d1cd4ee3d4", Shoppers: "2ff76bd6ea"}


@pytest.mark.parametrize("view", CANONICAL)
def test_the_canonical_form_stays(view: type[View]) -> None:
    assert view.declared.canonical == CANONICAL[view]


def test_the_canonical_form_of_a_part_of_a_key_and_of_milliseconds_stays() -> None:
    assert Text("pk", after="CUSTOMER#").canonical == ["text", "pk", "CUSTOMER#"]
    assert Instant("at", milliseconds=True).canonical == ["instant", "at", "milliseconds"]


@pytest.mark.parametrize("view", VERSIONS)
def test_the_version_stays(view: type[View]) -> None:
    assert view.declared.version == VERSIONS[view]


def _version(where: Any = None, name: str = "Orders", **columns: Any) -> str:
    made = {"customer": group_by(Order.customer), "orders": count(), **columns}
    make: Any = type(View)
    declared = make(name, (View,), made, of=Order, where=where)
    return str(declared.declared.version)


def test_what_means_the_same_has_the_same_version() -> None:
    one = (Order.status == "open") & (Order.net > 5) & Order.product.isin("mug", "tea")
    other = Order.product.isin("tea", "mug") & ((Order.net > Decimal("5.0")) & ~(Order.status != "open"))
    assert _version(one) == _version(other)
    assert _version(Order.status.isin("open")) == _version(Order.status == "open")
    assert _version(name="Others") == _version()
    assert _version(a=count(), b=sum_of(Order.net)) == _version(b=sum_of(Order.net), a=count())


def test_what_means_something_else_has_another_version() -> None:
    different = [
        _version(),
        _version(Order.status == "open"),
        _version(Order.status != "open"),
        _version(Order.status > "open"),
        _version(net=sum_of(Order.net)),
        _version(gross=sum_of(Order.net)),
        _version(net=sum_of(Order.net, where=Order.status == "open")),
        _version(product=group_by(Order.product)),
        _version(product=group_by(Text("product", after="p-"))),
        _version(month=group_by(month_of(Instant("createdAt", milliseconds=True)))),
        _version(month=group_by(month_of(Order.placed))),
        _version(month=group_by(month_of(Order.placed, "Europe/Berlin"))),
        _version(products=distinct(Order.product)),
    ]
    assert len(set(different)) == len(different)


def test_a_view_of_a_changed_view_is_another_one() -> None:
    versions = set()
    for status in ("open", "paid"):

        class Bought(View, of=Order, where=Order.status == status):
            customer, product = group_by(Order.customer), group_by(Order.product)
            orders = count()

        class Shoppers(View, of=Bought):
            customer = group_by(Bought.customer)
            products = count()

        versions.add(Shoppers.declared.version)
    assert len(versions) == 2


def test_new_rules_of_a_zone_make_another_version() -> None:
    before = _version(month=group_by(month_of(Order.placed, "Europe/Berlin")))
    with patch.object(zones, "rules", lambda _: "others"):
        assert _version(month=group_by(month_of(Order.placed, "Europe/Berlin"))) != before
    assert zones.rules("Europe/Berlin") != zones.rules("Europe/London")


class Invoice(Items, table=SHOP, starts="order-"):
    customer, gross, net = Text("pk"), Number("gross"), Number("price.net")


def _spent(of: Number, run: str = "") -> Any:
    class Spent(View, of=Invoice, backfill=run):
        customer = group_by(Invoice.customer)
        sum = sum_of(of)

    return Spent


@pytest.mark.parametrize("backfill", ["", "second"])
def test_a_redeployed_sum_of_something_else_never_subtracts_what_it_has_not_added(backfill: str) -> None:
    """By one name, and without a version, it would be 119 - 100 + 90 = 109, and complete."""
    shop, gross, net = Shop(SHOP, 1, NONE), _spent(Invoice.gross), _spent(Invoice.net, backfill)
    shop.deploy(gross)
    with shop.delivered():
        put(shop, "ann", 1, gross=119, net=100)
        shop.drain()
        assert gross.get(shop.table, customer="ann").sum == 119
        shop.deploy(net)
        put(shop, "ann", 1, gross=119, net=90)
        shop.drain()
        if backfill:
            shop.wait(3600)
            while not (found := shop.command(do="backfill", per_second=5000)).get("complete"):
                assert "error" not in found, found
                shop.drain()
            shop.drain()
    row = net.get(shop.table, fresh=TOLD, customer="ann")
    assert (row.sum, row.complete) == ((90, True) if backfill else (0, False))
