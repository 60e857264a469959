"""A wrong declaration says which argument is wrong, why, and what to write."""

from collections.abc import Callable
from typing import Any

import pytest

from edgewise import OwnTable, consumer
from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.kinds import Kind
from edgewise.dynamodb.existing import others
from edgewise.dynamodb.table import Table
from edgewise.views import (
    Instant,
    Items,
    Number,
    Text,
    View,
    count,
    day_of,
    distinct,
    each_of,
    group_by,
    hour_of,
    levels_of,
    max_of,
    mean_of,
    min_of,
    month_of,
    sum_of,
    top,
)
from edgewise.views.planning import How, plan
from edgewise.views.view import kept
from tests.views.shop import SHOP, Bought, Customers, Order, Products, Sales, Shoppers, Tagged


class Other(Items, table=SHOP, starts="other-"):
    customer, amount = Text("pk"), Number()


def _view(
    name: str = "Wrong",
    base: Any = View,
    of: Any = Order,
    where: Any = None,
    recountable: Any = False,
    backfill: Any = "",
    fill: Any = False,
    **columns: Any,
) -> Any:
    make: Any = type(View)
    more = {"where": where, "recountable": recountable, "backfill": backfill, "fill": fill}
    return make(name, (base,), columns or {"items": count()}, of=of, **more)


def _of_a_filled_one() -> Any:
    below = _view("Below", fill=True, customer=group_by(Order.customer), orders=count())
    return _view(of=below, orders=sum_of(below.orders))


def _items(**of: Any) -> Any:
    make: Any = type(Items)
    return make("Wrong", (Items,), {"customer": Text("pk")}, **{"table": SHOP, **of})


@pytest.mark.parametrize(
    ("declaring", "why"),
    [
        (lambda: _items(table="shop"), r"Wrong: table must be an OwnTable\(\.\.\.\), and not 'shop'"),
        (lambda: _items(starts=7), "Wrong: starts must be a text that sort keys begin with, .* and not 7"),
        (lambda: _items(table=OwnTable("pk"), starts="a"), "starts must be a text that sort keys begin with"),
        (lambda: _items(table=OwnTable("pk", "sk", "SN"), starts="a"), "and only those that are texts do"),
        (lambda: _items(where=lambda item: True), "Wrong: where must be a condition, such as"),
        (lambda: _items(where=Order.status == "open"), "Wrong.where: Order.status is no field of Wrong"),
        (lambda: _items(where=Text() == "open"), "a field outside of a class needs a path, as Text"),
        (lambda: Number("price..net"), 'path must be names with points between them, such as "price.net"'),
        (lambda: Text("pk", after=7), 'after must be a text that others begin with, such as "CUSTOMER#", and not 7'),  # type: ignore[arg-type]
        (lambda: Instant(milliseconds=1), "milliseconds must be True or False, and not 1"),  # type: ignore[arg-type]
        (lambda: _view(of=SHOP), r"Wrong: of must be a class of Items, or another view, and not OwnTable"),
        (lambda: _view(of=Items), "of must be a class of Items, or another view"),
        (lambda: _view(name="Ärger"), "a view is called by at most 40 letters, digits and _"),
        (lambda: _view(customer=group_by(Order.customer)), r"Wrong measures nothing: write, .* items = count\(\)"),
        (
            lambda: _view(net=Order.net),
            r"Wrong.net is no column of its own: write group_by\(\.\.\.\), or sum_of\(\.\.\.\)",
        ),
        (lambda: _view(of=Bought, product=Bought.product), "Wrong.product is no column of its own: write group_by"),
        (lambda: _view(complete=count()), "Wrong.complete: a column has a name .* not what a row has already"),
        (lambda: _view(amount=sum_of(Other.amount)), "Wrong.amount: Other.amount is no field of Order"),
        (lambda: _view(customer=group_by(Other.customer), items=count()), "Other.customer is no field of Order"),
        (lambda: _view(items=count(where=Other.amount > 5)), "Wrong.items: Other.amount is no field of Order"),
        (lambda: _view(where="status"), "Wrong: where must be a condition"),
        (lambda: _view(where=Other.amount > 5), "Wrong.where: Other.amount is no field of Order"),
        (lambda: _view(backfill=True), "Wrong: backfill must be a text that names it, and not True"),
        (lambda: _view(recountable=1), "Wrong: recountable must be True or False, and not 1"),
        (lambda: _view(fill="first"), "Wrong: fill must be True or False, and not 'first'"),
        (lambda: _view(fill=True, backfill="first"), "Wrong: a view that is filled needs no backfill: leave that out"),
        (lambda: _view(base=Customers), "a view is declared for itself"),
        (lambda: group_by(Order.net), r"group_by needs a field that is declared as Text\(\), or each_of"),  # type: ignore[arg-type]
        (lambda: group_by(Order.tags), r"Order.tags are several: write group_by\(each_of\(Order.tags\)\)"),  # type: ignore[arg-type]
        (lambda: each_of(Order.status), r"each_of needs a field that is declared as Texts\(\)"),  # type: ignore[arg-type]
        (lambda: levels_of(Order.tags), r"levels_of needs a field that is declared as Text\(\)"),  # type: ignore[arg-type]
        (lambda: levels_of(Order.status, ""), "levels_of: separator must be a text between levels, and not ''"),
        (lambda: hour_of(Order.status), r"hour_of needs a field that is declared as Instant\(\)"),  # type: ignore[arg-type]
        (lambda: month_of(Order.placed, "Berlin"), "zone must be the name of one, such as Europe/Berlin"),
        (lambda: day_of(Order.placed, "../etc"), "zone must be the name of one"),
        (lambda: sum_of(Order.status), r"sum_of needs a field that is declared as Number\(\), and not Order.status"),  # type: ignore[arg-type]
        (lambda: distinct(Order.net), r"distinct needs a field that is declared as Text\(\)"),  # type: ignore[arg-type]
        (lambda: count(where=count() > 5), "a view counts items, or rows of another view, and no columns of its own"),
        (lambda: _view(where=Bought.orders > 5), "Wrong.where: Bought.orders is no field of Order"),
        (lambda: Bought.orders == "five", "Bought.orders is compared with values such as 5"),
        (lambda: count(where="open"), "count: where must be a condition"),  # type: ignore[arg-type]
        (lambda: mean_of(Order.net, where=True), "mean_of: where must be a condition"),  # type: ignore[arg-type]
    ],
)
def test_what_can_not_be_understood(declaring: Callable[[], Any], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        declaring()


@pytest.mark.parametrize(
    ("declaring", "why"),
    [
        (
            lambda: _view(product=group_by(Order.product), products=distinct(Order.product)),
            "products: all items of a group have the same product, by product: leave it out",
        ),
        (
            lambda: _view(of=Products, product=group_by(Products.product), orders=sum_of(Products.orders)),
            "Products groups items of many partitions, .* declare Products with recountable=True",
        ),
        (
            lambda: _view(of=Bought, product=group_by(Bought.product), items=count(), backfill="second"),
            "Wrong: a backfill fills it by filling Bought, so both have the same one",
        ),
        (
            lambda: _view(products=distinct(Order.product), fill=True),
            "Wrong: fill counts items by counts, sums and extremes: group by that field too, and let a view",
        ),
        (
            lambda: _view(of=Bought, orders=sum_of(Bought.orders), fill=True),
            "Wrong: it is filled by filling Bought, so give both fill=True, or neither",
        ),
        (lambda: _of_a_filled_one(), "Wrong: it is filled by filling Below, so give both fill=True, or neither"),
        (lambda: top(Order.product, by=max_of(Order.net)), "top: by must be a count or a sum of the same view"),
        (
            lambda: _view(items=count(), best=top(Order.product, by=Bought.orders)),
            "best: by must be a measure of Wrong itself, and not Bought.orders",
        ),
        (
            lambda: _view(product=group_by(Order.product), items=(items := count()), best=top(Order.product, by=items)),
            "best: all items of a group have the same product",
        ),
        (lambda: Customers.greatest > 5, r"where\(Customers.greatest\): a max goes into no other view"),
        (lambda: sum_of(Customers.greatest), r"sum_of\(Customers.greatest\): a max goes into no other view"),
        (lambda: min_of(Customers.mean), "a mean goes into no other view, since nobody knows it exactly at every"),
    ],
)
def test_what_could_not_be_exact(declaring: Callable[[], Any], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        declaring()


@pytest.mark.parametrize(
    ("view", "how", "near", "rank"),
    [
        (Customers, How.DIRECTLY, "customer", 1),
        (Products, How.BY_CARRIERS, None, 1),
        (Sales, How.BY_EDGES, None, 2),
        (Tagged, How.BY_ENTRIES, None, 2),
        (Bought, How.DIRECTLY, "customer", 1),
        (Shoppers, How.DIRECTLY, "customer", 2),
    ],
)
def test_the_plan_follows_from_the_declaration(view: type[View], how: How, near: str | None, rank: int) -> None:
    found = plan(view.declared)
    assert (found.how, found.near) == (how, near)
    (kept,) = (kind for kind in _kinds(view) if kind.name == view.declared.full_name)
    assert kept.rank == rank


def test_a_part_of_the_partition_key_says_which_partition_it_is() -> None:
    found = plan(_view(customer=group_by(Text("pk", after="CUSTOMER#")), items=count()).declared)
    assert (found.how, found.near) == (How.DIRECTLY, "customer")
    query = kept(found.declared).places.near(("ann#1",))
    assert query.partition == others("CUSTOMER#ann#1")


def _kinds(view: type[View]) -> tuple[Kind, ...]:
    return kept(view.declared).kinds


def test_a_row_is_asked_for_by_its_keys() -> None:
    table: Any = Table("shop", object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'Customers is asked for customer="\.\.\.", and got product=\'tea\''):
        Customers.get(table, product="tea")
    with pytest.raises(TypeError, match="and got customer=7"):
        Customers.get(table, customer=7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Customers: give the keys before the one that is read from a to b"):
        Customers.between(table, "a", "b", customer="ann")
    with pytest.raises(TypeError, match="Sales: give the keys before the one that is read from 2026-01 to 2026-02"):
        Sales.between(table, "2026-01", "2026-02")
    with pytest.raises(ValueError, match="Sales: the first value is at most the last one, and '2026-02' > '2026-01'"):
        Sales.between(table, "2026-02", "2026-01", product="tea")


def test_a_consumer_keeps_views_of_one_table() -> None:
    other = _view("Elsewhere", of=_items(table=OwnTable("pk")))
    declared: list[tuple[list[Any], str]] = [
        ([], "consumer needs the views"),
        ([Order], "consumer keeps classes of views, and not <class"),
        ([View], "consumer keeps classes of views"),
        ([Customers, other], "one consumer keeps the views of one table"),
        ([_view("Twice"), _view("Twice")], "two views are called Twice, and say the same"),
        ([_view("One", backfill="run-0"), _view("Other", backfill="run-1")], "are declared: run-0, run-1"),
        ([Customers, Customers], ""),
    ]
    for each, why in declared:
        if why:
            with pytest.raises(DeclarationError, match=why):
                consumer(*each)
        else:
            consumer(*each)
    assert consumer(Customers).table is SHOP
