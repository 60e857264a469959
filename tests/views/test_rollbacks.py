"""A release that does not keep a view which is filled breaks that fill: the view misses what it absorbs."""

from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest

from delivery import KilledError
from edgewise.own import filling, fills
from edgewise.stream import register
from edgewise.views import NotYetFilledError, Number, View, group_by, sum_of
from tests.support.own_tables import Shop
from tests.views.filled import SHORTLY, Customers, Tagged, ask, fill_all, orders_of, removed, stored
from tests.views.shop import put, told
from tests.views.test_filling import Bought

NAME = Customers.declared.full_name


def _is_broken(shop: Shop, view: type[View] = Customers, **keys: Any) -> bool:
    with suppress(NotYetFilledError):
        view.get(shop.table, **(keys or {"customer": "ann"}))
        return False
    return True


def _rolled_back(shop: Shop) -> None:
    """Something changes while the release before is back."""
    shop.deploy(Tagged)
    put(shop, "ann", 1, net=12, tags=["new"])
    shop.drain()
    shop.deploy(Customers, Tagged)
    shop.drain()


def _before_it_starts(shop: Shop) -> None:
    ask(shop, steps=1)
    _rolled_back(shop)
    shop.wait(SHORTLY)
    ask(shop)


def _in_the_midst(shop: Shop) -> None:
    ask(shop, steps=1)
    shop.wait(SHORTLY)
    with patch.object(filling, "PAGE", 1):
        ask(shop, steps=4)
    _rolled_back(shop)
    ask(shop)


def _after_its_end(shop: Shop) -> None:
    fill_all(shop)
    _rolled_back(shop)


@pytest.mark.parametrize("rolled_back", [_before_it_starts, _in_the_midst, _after_its_end])
def test_a_view_that_a_release_did_not_keep_is_not_filled_any_more(rolled_back: Any) -> None:
    shop = stored(Customers, Tagged)
    with shop.delivered():
        rolled_back(shop)
        shop.wait(SHORTLY)
        assert _is_broken(shop)
        assert f"{NAME} was not kept all the while" in shop.command(do="fill")["error"]
        shop.deploy(Tagged)
        assert removed(shop, NAME)["complete"]
        shop.deploy(Customers, Tagged)
        fill_all(shop)
        row = Customers.get(shop.table, customer="ann")
        assert told(row.orders, row.net) == (2, 12 + 30)
        assert orders_of(shop, Tagged, tag="new") == (2, True), "that was kept"


def test_a_release_that_has_absorbed_nothing_has_missed_nothing() -> None:
    shop = stored(Customers, Tagged)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Tagged)
        shop.deploy(Customers, Tagged)
        put(shop, "ann", 1, net=12)
        shop.drain()
        assert Customers.get(shop.table, customer="ann").net == 12 + 30


@pytest.mark.parametrize("in_time", [True, False])
def test_a_fill_is_none_if_the_register_did_not_name_it_before_its_start(in_time: bool) -> None:
    """A release that does not keep the view has seen its name before there was a fill, and removed it."""
    shop, real = stored(Customers, Tagged), fills.store
    with shop.delivered():

        def store(*arguments: Any) -> None:
            register.change(shop.table, lambda known: replace(known, kept=frozenset()))
            real(*arguments)
            raise KilledError

        with patch.object(filling, "store", store), suppress(KilledError):
            shop.command(1, do="fill")
        shop.wait(1 if in_time else SHORTLY)
        while not ask(shop).get("complete", True):
            pass
        shop.wait(SHORTLY)
        assert _is_broken(shop) is not in_time


def _no_elevens(field: Number, found: Any) -> Decimal:
    if found["N"] == "11":
        raise ValueError("can't be read")
    return Decimal(found["N"])


def test_what_a_release_takes_out_of_quarantine_a_view_misses_that_it_does_not_keep() -> None:
    shop = stored(Customers, Tagged)
    with shop.delivered():
        fill_all(shop)
        with patch.object(Number, "decoded", _no_elevens):
            put(shop, "ann", 1, net=11, tags=["new"])
            shop.drain()
        shop.deploy(Tagged)
        assert shop.command(do="apply")["applied"] == 1
        shop.deploy(Customers, Tagged)
        assert _is_broken(shop)


class Buyers(View, of=Bought, fill=True):
    product = group_by(Bought.product)
    orders = sum_of(Bought.orders)


def test_a_view_of_a_view_that_a_release_did_not_keep_breaks_alone() -> None:
    shop = stored(Bought, Buyers)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Bought)
        put(shop, "cy", 1, product="tea")
        shop.drain()
        shop.deploy(Bought, Buyers)
        shop.drain()
        assert _is_broken(shop, Buyers, product="tea")
        assert orders_of(shop, Bought, product="tea", customer="cy") == (1, True)
