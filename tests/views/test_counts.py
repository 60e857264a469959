"""A row says how many of its items have each value: exactly, and of more values than it has numbers of, that too."""

from collections.abc import Callable
from typing import Any, assert_type
from unittest.mock import patch

import pytest

from delivery import NONE
from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.measures import Cell
from edgewise.dynamodb import units
from edgewise.dynamodb.existing import MAP
from edgewise.testing import World, WrongError
from edgewise.views import (
    Counts,
    CrowdedError,
    View,
    count,
    count_by,
    day_of,
    distinct,
    each_of,
    group_by,
    sum_of,
    top,
)
from edgewise.views.counts import certain, counts
from edgewise.views.planning import How, plan
from tests.support.own_tables import NAME, TOLD, Shop
from tests.views.shop import SHOP, Bought, Order, put, told


class Spent(View, of=Order):
    customer = group_by(Order.customer)
    orders, products = count(), count_by(Order.product, max_values=2)
    paid = count_by(Order.product, where=Order.status == "paid")


class Statuses(View, of=Order):
    """Far."""

    day = group_by(day_of(Order.placed))
    statuses = count_by(Order.status)


class Sold(View, of=Order):
    """Far, by entries: edges could not bring the numbers."""

    product = group_by(Order.product)
    statuses, buyers = count_by(Order.status, max_values=1), distinct(Order.customer)


class Baskets(View, of=Bought):
    customer = group_by(Bought.customer)
    products = count_by(Bought.product, where=Bought.orders >= 2)


class Tagged(View, of=Order):
    customer, tag = group_by(Order.customer), group_by(each_of(Order.tags))
    products = count_by(Order.product)


def _shop(*views: type[View]) -> Shop:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(*views)
    return shop


def _put_each(shop: Shop, customer: str, *products: str | None) -> None:
    """Put an order of each, one after the other."""
    with shop.delivered():
        for number, product in enumerate(products):
            at = f"2026-11-{10 + number}T12:00:00Z"
            more = {} if product is None else {"product": product}
            put(shop, customer, number, status="paid" if number % 2 else "open", tags=["a"], createdAt=at, **more)
            shop.drain()


def test_a_row_has_the_number_of_each_value_and_none_of_others() -> None:
    shop = _shop(Spent)
    _put_each(shop, "ann", "tea", "mug", "tea", None)
    row = Spent.get(shop.table, customer="ann")
    assert assert_type(row.products, Counts) == {"mug": 1, "tea": 2}
    assert told(row.paid, row.orders, row.products.others, row.complete) == ({"mug": 1}, 4, 0, True)
    assert [*row.products] == ["mug", "tea"]
    assert row.products.get("pot", 0) == 0
    with pytest.raises(KeyError):
        _ = row.products["pot"]
    nobody = Spent.get(shop.table, customer="nobody")
    assert told(nobody.products, nobody.products.others) == ({}, 0)


def test_more_values_than_that_are_counted_together_and_no_number_is_told_of_one_of_them() -> None:
    shop = _shop(Spent)
    _put_each(shop, "ann", "tea", "mug", "tea", "pot", "jug")
    found = Spent.get(shop.table, customer="ann").products
    assert (dict(found), found.others) == ({"mug": 1, "tea": 2}, 2)
    assert found != {"mug": 1, "tea": 2}
    askings: list[Callable[[], object]] = [lambda: found["pot"], lambda: found.get("pot", 0), lambda: "pot" in found]
    for asking in askings:
        with pytest.raises(CrowdedError, match="'pot' may be that of some of 2 others: its group has had more values"):
            asking()
    assert repr(found) == "Counts({'mug': 1, 'tea': 2}, others=2)"


def test_far_rows_and_those_by_entries_and_views_of_views_count_values() -> None:
    shop = _shop(Statuses, Sold, Baskets)
    _put_each(shop, "ann", "tea", "mug", "tea")
    _put_each(shop, "bob", "tea", "tea")
    days = Statuses.between(shop.table, "2026-11-10", "2026-11-12", fresh=TOLD)
    assert [row.statuses for row in days.rows] == [{"open": 2}, {"paid": 2}, {"open": 1}]
    assert told(days.total().statuses, days.complete) == ({"open": 3, "paid": 2}, True)
    tea = Sold.get(shop.table, fresh=TOLD, product="tea")
    assert (dict(tea.statuses), tea.statuses.others, tea.buyers, tea.complete) == ({"open": 3}, 1, 2, True)
    assert Baskets.get(shop.table, fresh=TOLD, customer="ann").products == {"tea": 1}


@pytest.mark.parametrize(
    ("view", "how"),
    [(Spent, How.DIRECTLY), (Statuses, How.BY_CARRIERS), (Sold, How.BY_ENTRIES), (Baskets, How.DIRECTLY)],
)
def test_the_plan_follows_from_the_declaration(view: type[View], how: How) -> None:
    assert plan(view.declared).how is how


def _row(**cells: int) -> dict[str, Cell]:
    return {name.replace("_", "="): Cell(number) for name, number in cells.items()}


def test_together_rows_tell_the_numbers_of_values_that_each_of_them_knows() -> None:
    rows = [_row(v_a=1, v_b=2, v_=5, w_a=1), _row(v_a=10, v_c=20, v_=50), _row(v_a=100, v_d=200, w_b=1)]
    both = _row(v_a=111, v_b=2, v_c=20, v_d=200, v_=55, w_a=1, w_b=1)
    found = certain(both, rows)
    assert counts("v", found) == Counts({"a": 111}, 55 + 2 + 20 + 200)
    assert counts("w", found) == {"a": 1, "b": 1}


def test_a_value_that_looks_like_a_name_is_a_value() -> None:
    shop, odd = _shop(Spent), ["", "\0", "=", "paid=", "a=b", "\U0001f375", "x" * 256]
    for number, value in enumerate(odd):
        with shop.delivered():
            put(shop, f"c{number}", 1, product=value, status="paid")
    rows = Spent.read_many(shop.table, [{"customer": f"c{number}"} for number in range(len(odd))])
    assert [dict(row.paid) for row in rows.rows] == [{value: 1} for value in odd]
    assert told(rows.total().paid, rows.complete) == (dict.fromkeys(odd, 1), True)


def test_a_longer_value_is_set_aside_for_that_view() -> None:
    shop = _shop(Spent, Bought)
    with shop.delivered():
        put(shop, "ann", 1, product="\xe9" * 129)
    assert Spent.get(shop.table, customer="ann").complete is False
    (record,) = shop.command(do="list")["records"]
    assert "product has 258 bytes, and a value that is counted one by one has 256 at most" in record["error"]
    assert Bought.get(shop.table, customer="ann", product="\xe9" * 129).orders == 1


def test_a_recount_agrees_and_a_repair_gives_numbers_again_to_a_group_that_has_fewer_values_now() -> None:
    with World(Spent, seed=1, faults=NONE) as world:
        for number, product in enumerate(("tea", "tea", "mug", "mug", "pot", "jug")):
            world.put({"pk": "ann", "sk": f"order-{number}", "product": product})
            world.deliver()
        asked = {"kind": Spent.declared.full_name, "dimensions": ["ann"]}
        assert world.command("recount", **asked)["equal"] is True
        for number in (0, 1, 4):
            world.delete({"pk": "ann", "sk": f"order-{number}"})
        world.deliver()
        found: Any = Spent.get(world.table, customer="ann")
        assert (dict(found.products), found.products.others) == ({"mug": 2}, 1)
        world.wait(3600)
        assert world.command("recount", repair=True, **asked)["equal"] is True
        found = Spent.get(world.table, customer="ann")
        assert (found.products, found.complete) == ({"mug": 2, "jug": 1}, True)
        world.wait(60)
        world.put({"pk": "ann", "sk": "order-2", "product": "jug"})
        world.check()
        assert Spent.get(world.table, customer="ann").products == {"mug": 1, "jug": 2}


def test_a_wrong_number_is_found() -> None:
    with World(Spent, seed=1, faults=NONE) as world:
        world.put({"pk": "ann", "sk": "order-1", "product": "tea", "status": "paid"})
        why = r"products is Counts\({'tea': 2}, others=0\), and a plain count says"
        with (
            patch("edgewise.views.valuing.counts", lambda *_: Counts({"tea": 2})),
            pytest.raises(WrongError, match=why),
        ):
            world.check()
        with patch("edgewise.views.valuing.counts", lambda *_: Counts({}, 2)), pytest.raises(WrongError):
            world.check()
        with patch("edgewise.views.valuing.counts", lambda *_: Counts({}, 1)):
            world.check()


def _view(name: str = "Wrong", **columns: Any) -> Any:
    make: Any = type(View)
    return make(name, (View,), columns, of=Order)


@pytest.mark.parametrize(
    ("declaring", "why"),
    [
        (lambda: count_by(Order.net), r"count_by needs a field that is declared as Text\(\), and not Order.net"),  # type: ignore[arg-type]
        (lambda: count_by(Order.tags), r"count_by needs a field that is declared as Text\(\), and not Order.tags"),  # type: ignore[arg-type]
        (lambda: count_by(Order.status, max_values=0), "max_values must be a whole number from 1 to 100, and not 0"),
        (lambda: count_by(Order.status, max_values=101), "a whole number from 1 to 100, and not 101"),
        (lambda: count_by(Order.status, max_values=True), "a whole number from 1 to 100, and not True"),
        (lambda: count_by(Order.status, where="paid"), "count_by: where must be a condition"),  # type: ignore[arg-type]
        (
            lambda: _view(a=count_by(Order.status, max_values=60), b=count_by(Order.product, max_values=41)),
            "Wrong: a, b: a row counts 100 values one by one, and max_values come to 101: lower them",
        ),
        (
            lambda: _view(status=group_by(Order.status), each=count_by(Order.status)),
            "each: all items of a group have the same status, by status: leave it out",
        ),
        (lambda: sum_of(Spent.products), r"sum_of\(Spent.products\): a count_by goes into no other view, since a row"),
        (lambda: Spent.products > 5, r"where\(Spent.products\): a count_by goes into no other view"),
        (lambda: top(Order.product, by=count_by(Order.status)), "top: by must be a count or a sum"),
    ],
)
def test_what_can_not_be_counted_by_value(declaring: Callable[[], Any], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        declaring()


def test_rows_that_have_items_in_common_have_no_numbers_of_values_together() -> None:
    shop = _shop(Tagged)
    _put_each(shop, "ann", "tea")
    with pytest.raises(AttributeError, match=r"Tagged\.products: one item is in several groups by tag"):
        _ = Tagged.groups(shop.table, customer="ann").total().products


def test_another_bound_makes_another_view() -> None:
    made = {f"{most}": _view("Each", each=count_by(Order.status, max_values=most)).declared for most in (3, 4)}
    assert len({each.version for each in made.values()}) == 2
    assert '"measures":{"each":["count_by",["text","status"],null,4]}' in made["4"].canonical


LONG = 40


def test_it_is_explained_with_the_units_of_a_row_that_has_all_its_values() -> None:
    """A row with fewer costs less: no more is told of what a change may cost."""

    class Many(View, of=Order):
        customer = group_by(Order.customer)
        products = count_by(Order.product, max_values=15)

    shop = _shop(Many)
    _put_each(shop, "ann", *(f"{number:0{LONG}}" for number in range(16)))
    (row,) = shop.all(lambda item: item["pk"]["S"].startswith(f"edgewise#{Many.declared.full_name}"))
    assert len(row[MAP]["M"]["Cells"]["M"]) == 15 + len(("Count", "products="))
    item = next(item for item in shop.all(lambda item: item["pk"]["S"] == "ann"))
    explained = Many.explain(item)
    assert explained.units == -(-units.item_bytes(row) // 1024) == 2
    assert "products: numbers of at most 15 values, in the row; of all others, one together" in str(explained)
    assert Many.explain({**item, "product": {"NULL": True}}).units == 1


def test_readers_in_any_language_get_a_map_of_values_and_the_number_of_others() -> None:
    shop = _shop(Spent)
    _put_each(shop, "ann", "tea", "", "tea", "pot")
    found = shop.owner.get_item(
        TableName=NAME, Key={"pk": {"S": f"edgewise#{Spent.declared.full_name}#ann"}, "sk": {"S": "AT"}}
    )["Item"]
    row: Any = found[MAP]["M"]["Row"]["M"]
    assert row["products"] == {"M": {"values": {"M": {"tea": {"N": "2"}, "\0": {"N": "1"}}}, "others": {"N": "1"}}}
    assert row["paid"] == {"M": {"values": {"M": {"\0": {"N": "1"}, "pot": {"N": "1"}}}}}
