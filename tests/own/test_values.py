"""What a row counts of values that are there in some way: a text that is empty, none at all, one that is too long."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from edgewise.views import Items, Number, Text, View, count, distinct, group_by, sum_of, top
from tests.own import orders
from tests.own.orders import OWN, name
from tests.support.own_tables import NAME, TOLD, Shop, deployed

TEA = {"product": "tea"}
NULL: Any = {"NULL": True}
OF_TEA: Any = {"product": {"S": "tea"}}


class Order(Items, table=OWN):
    customer, product, buyer, euros = Text(), Text(), Text(), Number()


class Customers(View, of=Order):
    customer = group_by(Order.customer)
    orders, euros = count(), sum_of(Order.euros)


class Buyers(View, of=Order):
    product = group_by(Order.product)
    orders, summed, euros = count(), count(where=Order.euros.exists()), sum_of(Order.euros)
    buyers = distinct(Order.buyer)


class Best(View, of=Order):
    orders = count()
    buyers = top(Order.buyer, by=orders)


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OWN, Customers, Buyers, Best) as made:
        yield made


def test_the_empty_text_is_a_value_and_so_is_one_that_looks_like_what_stands_for_none(shop: Shop) -> None:
    with shop.delivered():
        said: list[Any] = [{"S": ""}, {"S": "\0"}, {"S": "\0\0"}, {"S": "x"}, {"S": "x"}, NULL, None]
        for number, buyer in enumerate(said):
            orders.order(shop, number, 10, **({"buyer": buyer} if buyer else {}))
        shop.drain()
        row = Buyers.get(shop.table, fresh=TOLD, **TEA)
        assert (row.orders, row.buyers, row.complete) == (7, 4, True)
        assert Buyers.values(shop.table, Buyers.buyers, fresh=TOLD, **TEA).values == ["", "\0", "\0\0", "x"]
        standings = Best.ranking(shop.table, Best.buyers, fresh=TOLD).standings
        assert {each.member: int(each.number) for each in standings} == {"": 1, "\0": 1, "\0\0": 1, "x": 2}
        for number in range(3):
            orders.cancel(shop, number)
        shop.drain()
        row = Buyers.get(shop.table, fresh=TOLD, **TEA)
        assert (row.orders, row.buyers, row.complete) == (4, 1, True)
        assert [each.member for each in Best.ranking(shop.table, Best.buyers, fresh=TOLD).standings] == ["x"]


def test_what_has_no_number_is_counted_and_not_summed_by_edges_either(shop: Shop) -> None:
    with shop.delivered():
        orders.order(shop, 1, 10, buyer={"S": "x"})
        shop.owner.put_item(TableName=NAME, Item=orders.key(2) | OF_TEA | {"euros": NULL})
        orders.order(shop, 3, 25, buyer={"S": "x"})
        shop.drain()
    row = Buyers.get(shop.table, fresh=TOLD, **TEA)
    assert (row.orders, row.summed, row.euros, row.buyers) == (3, 2, Decimal(35), 1)


@pytest.mark.parametrize(
    "named", [{"buyer": {"S": "é" * 500}}, {"product": {"S": "t" * 1_001}}], ids=["buyer", "product"]
)
def test_a_value_that_fits_into_no_key_is_set_aside_and_doubted(shop: Shop, named: dict[str, Any]) -> None:
    """Otherwise no item at all could be written for it, and nobody would be told that the row lacks it."""
    with shop.delivered():
        orders.order(shop, 1, 10, buyer={"S": "x"})
        shop.owner.put_item(TableName=NAME, Item=orders.key(2) | {"euros": {"N": "20"}, **OF_TEA, **named})
    (record,) = shop.command(do="list")["records"]
    assert f"{name(Buyers)}: ValueError: product, buyers makes a key of 1,0" in record["error"]
    # A product with a long name is not tea.
    assert Buyers.get(shop.table, fresh=TOLD, **TEA).complete == ("product" in named)
    assert Customers.get(shop.table, customer="ann").complete, "whose keys have room for it"
