"""Views that are removed: step by step, whatever dies, and declared again while records of the former life come."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import pytest

from delivery import KilledError
from edgewise.dynamodb.table import Table
from edgewise.own import scanning
from edgewise.times import HOUR, SECOND
from edgewise.views import NotYetFilledError, View, count, each_of, group_by, sum_of
from tests.support.own_tables import TOLD, Shop
from tests.views.filled import LONGEST, Customers, Tagged, ask, fill_all, orders_of, removed, stored
from tests.views.shop import Order, put, told

NAME = Customers.declared.full_name


def _of_view(shop: Shop) -> list[Any]:
    """What is kept of the view, but for how far it is removed."""
    return shop.all(lambda item: NAME in item["pk"]["S"] or (item["sk"]["S"] == NAME and "VIEWS" in item["pk"]["S"]))


def test_a_removal_that_has_time_for_a_page_at_a_time_comes_to_its_end() -> None:
    shop = stored(Customers, Tagged)
    with shop.delivered(), patch.object(scanning, "PAGE", 2):
        fill_all(shop)
        shop.deploy(Tagged)
        shop.command(do="remove", view=NAME)
        shop.wait(LONGEST)
        answers = [shop.command(1, do="remove", view=NAME) for _ in range(20)]
        assert [answer["complete"] for answer in answers[:2]] == [False, False]
        assert answers[-1] == {"seen": answers[-1]["seen"], "removed": 3 + 2, "complete": True}
        assert _of_view(shop) == []


def test_sweeps_go_on_with_a_removal_and_forget_it_when_no_record_of_it_can_come_any_more() -> None:
    shop = stored(Customers, Tagged)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Tagged)
        assert not shop.command(do="remove", view=NAME)["complete"], "the release before may still run"
        shop.command(do="sweep")
        assert len(_of_view(shop)) == 3 + 2 + 1
        shop.wait(LONGEST)
        shop.command(do="sweep")
        assert _of_view(shop) == []
        shop.wait(37 * HOUR // SECOND)
        shop.command(do="sweep")
        assert shop.all(lambda item: "REMOVALS" in item["pk"]["S"]) == []


def _dying(real: Callable[..., Any], writes: int) -> Callable[..., Any]:
    left = iter(range(writes))

    def write(*arguments: Any) -> Any:
        if next(left, None) is None:
            raise KilledError
        return real(*arguments)

    return write


@pytest.mark.parametrize("writes", range(10))
def test_a_removal_that_dies_before_a_write_is_taken_up(writes: int) -> None:
    shop = stored(Customers, Tagged)
    with shop.delivered(), patch.object(scanning, "PAGE", 2):
        fill_all(shop)
        shop.deploy(Tagged)
        with (
            patch.object(Table, "write", _dying(Table.write, writes)),
            patch.object(Table, "transact", _dying(Table.transact, writes)),
            suppress(KilledError),
        ):
            removed(shop, NAME)
        assert removed(shop, NAME)["complete"]
        assert _of_view(shop) == []
        shop.deploy(Customers, Tagged)
        fill_all(shop)
        assert orders_of(shop, Customers, customer="ann") == (2, True)


@pytest.mark.parametrize("delivered", [True, False])
def test_what_was_kept_before_a_removal_is_not_taken_from_a_view_that_is_declared_again(delivered: bool) -> None:
    """Records of its entries come late: that they were put, or that they were removed."""
    shop = stored(Customers, Tagged)
    with shop.delivered():
        while not shop.command(do="fill", per_second=5000)["complete"]:
            pass
        if delivered:
            shop.drain()
        shop.deploy(Tagged)
        assert removed(shop, NAME)["complete"]
        shop.deploy(Customers, Tagged)
        shop.drain()
        put(shop, "ann", 3, net=7)
        fill_all(shop)
        row = Customers.get(shop.table, fresh=TOLD, customer="ann")
        assert told(row.orders, row.net, row.greatest, row.complete) == (3, 47, 30, True)


class Bought(View, of=Order, fill=True):
    product, customer = group_by(Order.product), group_by(Order.customer)
    orders = count()


class Buyers(View, of=Bought, fill=True):
    product = group_by(Bought.product)
    orders = sum_of(Bought.orders)


class Entered(View, of=Order, recountable=True):
    tag = group_by(each_of(Order.tags))
    orders, net = count(), sum_of(Order.net)


def test_a_view_that_is_not_filled_and_declared_again_shortly_after_is_not_complete() -> None:
    """Nothing says which records of its entries are of its former life."""
    shop = stored(Entered, Tagged)
    with shop.delivered():
        put(shop, "cy", 1, net=7, tags=["new"])
        shop.drain()
        assert orders_of(shop, Entered, tag="new") == (1, True)
        shop.deploy(Tagged)
        assert removed(shop, Entered.declared.full_name)["complete"]
        shop.deploy(Entered, Tagged)
        shop.drain()
        assert not Entered.get(shop.table, fresh=TOLD, tag="new").complete
        assert not Entered.get(shop.table, fresh=TOLD, tag="gift").complete


def test_a_removal_begins_anew_if_the_view_was_declared_meanwhile() -> None:
    """What it has passed may be there again."""
    shop, name = stored(Entered, Tagged), Entered.declared.full_name
    with shop.delivered(), patch.object(scanning, "PAGE", 2):
        for number in range(3, 9):
            put(shop, "cy", number, net=7, tags=[f"new-{number}"])
        shop.drain()
        shop.deploy(Tagged)
        shop.command(do="remove", view=name)
        shop.wait(LONGEST)
        shop.command(8, do="remove", view=name)
        shop.deploy(Entered, Tagged)
        for number in range(3, 9):
            put(shop, "cy", number, net=8, tags=[f"new-{number}"])
        shop.drain()
        shop.deploy(Tagged)
        assert removed(shop, name)["complete"]
        assert shop.all(lambda item: name in item["pk"]["S"]) == []


def test_a_fill_starts_no_earlier_than_a_step_of_the_removal_has_ended_that_somebody_gave_up() -> None:
    """It would remove what the fill has put."""
    shop = stored(Customers, Tagged)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Tagged)
        removed(shop, NAME)
        shop.deploy(Customers, Tagged)
        ask(shop, steps=1)
        shop.wait(LONGEST - 60)
        ask(shop, steps=1)
        assert shop.all(lambda item: NAME in item["pk"]["S"]) == []
        shop.wait(120)
        fill_all(shop)
        assert orders_of(shop, Customers, customer="ann") == (2, True)


def test_with_a_view_goes_what_is_filled_by_its_fill() -> None:
    """It would be counted on by the next fill, which knows nothing of it."""
    shop = stored(Bought, Buyers, Tagged)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Tagged)
        assert removed(shop, Bought.declared.full_name)["complete"]
        shop.deploy(Bought, Buyers, Tagged)
        with pytest.raises(NotYetFilledError):
            Buyers.get(shop.table, product="tea")
        fill_all(shop)
        assert orders_of(shop, Buyers, product="tea") == (2, True)
