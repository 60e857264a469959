"""Fills of a shop's views, step by step: what readers are told, and what becomes of what can't be read."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from edgewise.own import filling, scanning
from edgewise.own.health import Fill
from edgewise.times import HOUR, SECOND
from edgewise.views import (
    NotYetFilledError,
    View,
    count,
    distinct,
    group_by,
    health,
    month_of,
    sum_of,
    top,
)
from tests.support.own_tables import TOLD, Shop
from tests.views.filled import LONGEST, SHORTLY, Customers, Tagged, ask, fill_all, orders_of, removed, stored
from tests.views.shop import Order, put, told


class Months(View, of=Order, fill=True):
    product, month = group_by(Order.product), group_by(month_of(Order.placed))
    orders, net = count(), sum_of(Order.net)


def test_rows_near_and_far_count_what_was_stored_and_what_came_since() -> None:
    shop = stored(Customers, Tagged, Months)
    with shop.delivered():
        put(shop, "ann", 3, net=7, product="tea", tags=["gift"], createdAt="2026-11-02T22:30:00Z")
        shop.drain()
        fill_all(shop)
        put(shop, "ann", 2, net=20, product="mug", tags=["new"], createdAt="2026-11-01T22:30:00Z")
        shop.drain()
        ann = Customers.get(shop.table, fresh=TOLD, customer="ann")
        assert told(ann.orders, ann.net, ann.greatest, ann.complete) == (3, 37, 20, True)
        assert [orders_of(shop, Tagged, tag=tag) for tag in ("new", "gift", "old")] == [(2, True), (1, True), (0, True)]
        teas = Months.between(shop.table, "2026-10", "2026-11", fresh=TOLD, product="tea")
        assert [told(row.month, row.orders, row.net) for row in teas.rows] == [("2026-10", 1, 10), ("2026-11", 1, 7)]
        assert teas.complete


def test_nothing_is_written_into_the_items_of_the_shop() -> None:
    shop = stored(Customers, Tagged)
    before = shop.all(lambda item: not item["pk"]["S"].startswith("edgewise#"))
    with shop.delivered():
        fill_all(shop)
        shop.drain()
        assert shop.all(lambda item: not item["pk"]["S"].startswith("edgewise#")) == before


READS: list[Callable[[Shop], Any]] = [
    lambda shop: Months.get(shop.table, product="tea", month="2026-11"),
    lambda shop: Months.read_many(shop.table, [{"product": "tea", "month": "2026-11"}]),
    lambda shop: Months.between(shop.table, "2026-10", "2026-11", product="tea"),
    lambda shop: Months.groups(shop.table, product="tea"),
]


@pytest.mark.parametrize("read", READS)
def test_until_then_reading_says_so_and_never_zero(read: Callable[[Shop], Any]) -> None:
    shop, name = stored(Months), Months.declared.full_name
    with shop.delivered(), patch.object(filling, "PAGE", 1):
        with pytest.raises(NotYetFilledError, match=f"{name} does not count yet .*nobody has asked for that") as raised:
            read(shop)
        assert (raised.value.view, raised.value.seen) == (name, None)
        ask(shop, steps=1)
        shop.wait(SHORTLY)
        ask(shop, steps=1)
        with pytest.raises(NotYetFilledError, match=r'1 are read so far.*\{"do": "fill"\}') as begun:
            read(shop)
        assert begun.value.seen == 1
        while not ask(shop, steps=3)["complete"]:
            with pytest.raises(NotYetFilledError):
                read(shop)
        shop.wait(SHORTLY)
        shop.drain()
        read(shop)


def test_it_goes_on_by_the_sweep_of_the_schedule_at_its_pace_and_says_how_far_it_is() -> None:
    shop, name = stored(Customers), Customers.declared.full_name
    with shop.delivered():
        assert ask(shop, steps=1, pace=2) == {
            "fills": [{"view": name, "per_second": 2, "seen": 0, "put": 0, "unread": 0, "complete": False}],
            "complete": False,
        }
        assert health(shop.table).fills == [Fill(name, [name], 0, complete=False)]
        shop.wait(SHORTLY)
        shop.command(do="sweep")
        (far,) = shop.command(do="list")["fills"]
        shop.wait(SHORTLY)
        shop.drain()
        assert (far["per_second"], far["put"], far["complete"]) == (2, 3, True)
        assert health(shop.table).fills == [Fill(name, [name], far["seen"], complete=True)]
        assert orders_of(shop, Customers, customer="ann") == (2, True)


def test_what_changed_before_the_fill_began_is_as_the_fill_reads_it() -> None:
    """The release before took a later change of it, so this one would count what nobody takes back."""
    shop = stored(Tagged)
    with shop.delivered():
        put(shop, "ann", 1, net=10, tags=["old"])
        with shop.before():
            put(shop, "ann", 1, net=10, tags=["gift"])
        shop.drain()
        fill_all(shop)
        shop.drain()
        assert [orders_of(shop, Tagged, tag=tag) for tag in ("old", "gift", "new")] == [(0, True), (2, True), (1, True)]


def test_a_view_that_is_declared_later_is_filled_beside_one_that_is_filled() -> None:
    shop = stored(Customers)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Customers, Tagged)
        assert orders_of(shop, Customers, customer="ann") == (2, True)
        with pytest.raises(NotYetFilledError):
            Tagged.get(shop.table, tag="new")
        fill_all(shop)
        shop.drain()
        assert orders_of(shop, Tagged, tag="new") == (2, True)


def test_whoever_knows_that_what_was_put_last_is_on_its_way_is_told_so() -> None:
    shop = stored(Customers)
    with shop.delivered():
        fresh = shop.beat()
        while not shop.command(do="fill", per_second=5000)["complete"]:
            pass
        shop.wait(SHORTLY)
        with pytest.raises(NotYetFilledError):
            Customers.get(shop.table, fresh=fresh, customer="ann")
        assert Customers.get(shop.table, customer="ann").complete is False, "nobody can tell"
        row = Customers.get(shop.table, fresh=shop.beat(), customer="ann")
        shop.drain()
        assert told(row.orders, row.complete) == (2, True)


def test_what_a_fill_can_not_read_is_lacking_until_somebody_vouches_for_it() -> None:
    shop = stored(Customers)
    with shop.before():
        put(shop, "bob", 2, net="twelve")
    with shop.delivered():
        fill_all(shop)
        (far,) = shop.command(do="list")["fills"]
        assert (far["put"], far["unread"]) == (3, 1)
        assert orders_of(shop, Customers, customer="ann") == (2, True)
        assert orders_of(shop, Customers, customer="bob") == (1, False)
        (name,) = shop.command(do="list")["doubted"]
        assert shop.command(do="trust", name=name) == {"trusted": 1}
        shop.wait(HOUR // SECOND)
        shop.drain()
        assert orders_of(shop, Customers, customer="bob") == (1, True)


def test_no_repair_vouches_for_what_a_fill_can_not_read() -> None:
    """What is not read has no entry, so the row equals its entries."""
    shop = stored(Customers)
    with shop.before():
        put(shop, "bob", 2, net="twelve")
    with shop.delivered():
        fill_all(shop)
        answer = shop.command(do="recount", kind=Customers.declared.full_name, dimensions=["bob"], repair=True)
        assert "entries or edges, which may lack the same" in answer["error"]
        assert orders_of(shop, Customers, customer="bob") == (1, False)


def test_an_entry_is_not_repaired_before_the_fill_is_over() -> None:
    """The fill would take it for what the item is in the end."""
    shop = stored(Customers)
    with shop.delivered():
        entries, entry = f"{Customers.declared.full_name}-ITEM", ["ann", "ann", "order-1"]
        answer = shop.command(do="recount", kind=entries, dimensions=entry, repair=True)
        assert "wait until that is over" in answer["error"]


class Bought(View, of=Order, fill=True):
    product, customer = group_by(Order.product), group_by(Order.customer)
    orders = count()


class Buyers(View, of=Bought, fill=True):
    product = group_by(Bought.product)
    orders, buyers = sum_of(Bought.orders), distinct(Bought.customer)
    best = top(Bought.customer, by=orders)


def test_a_view_of_a_view_is_filled_by_its_rows() -> None:
    shop = stored(Bought, Buyers)
    with shop.delivered():
        with pytest.raises(NotYetFilledError):
            Buyers.ranking(shop.table, Buyers.best, product="tea")
        with pytest.raises(NotYetFilledError):
            Buyers.values(shop.table, Buyers.buyers, product="tea")
        fill_all(shop)
        put(shop, "cy", 1, product="tea")
        shop.drain()
        tea = Buyers.get(shop.table, fresh=TOLD, product="tea")
        assert told(tea.orders, tea.buyers, tea.complete) == (3, 2, True)
        assert Buyers.values(shop.table, Buyers.buyers, fresh=TOLD, product="tea").values == ["ann", "cy"]
        best = Buyers.ranking(shop.table, Buyers.best, fresh=TOLD, product="tea")
        assert [told(each.member, each.number, best.complete) for each in best.standings] == [
            ("ann", 2, True),
            ("cy", 1, True),
        ]


def test_a_view_of_a_view_that_was_filled_before_is_refused_and_not_read() -> None:
    shop = stored(Bought)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Bought, Buyers)
        names = Bought.declared.full_name, Buyers.declared.full_name
        answer = shop.command(do="fill")
        assert f"{names[1]} was not kept all the while since it began: rename {names[0]}" in answer["error"]
        with pytest.raises(NotYetFilledError):
            Buyers.get(shop.table, product="tea")
        shop.drain()
        assert orders_of(shop, Bought, product="tea", customer="ann") == (2, True)


def test_what_is_made_of_a_filled_view_is_not_filled_any_more_once_it_is_removed() -> None:
    shop = stored(Bought, Buyers)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Bought)
        assert removed(shop, Buyers.declared.full_name)["complete"]
        left = shop.all(lambda item: Buyers.declared.full_name in item["pk"]["S"])
        assert left == [], "neither rows nor rankings"
        with pytest.raises(NotYetFilledError):
            Buyers.get(shop.table, product="tea")
        shop.drain()
        assert orders_of(shop, Bought, product="tea", customer="ann") == (2, True)


def test_a_view_is_not_filled_anew_while_a_part_of_it_is_not_removed_yet() -> None:
    """The fill would take the entries that are left for what items are now."""
    shop = stored(Customers, Tagged)
    with shop.delivered():
        fill_all(shop)
        shop.deploy(Tagged)
        name = Customers.declared.full_name
        with patch.object(scanning, "PAGE", 2):
            shop.command(do="remove", view=name)
            shop.wait(LONGEST)
            assert not shop.command(1, do="remove", view=name)["complete"]
        shop.deploy(Customers, Tagged)
        with pytest.raises(NotYetFilledError):
            Customers.get(shop.table, customer="ann")
        assert f"rename {name}" in shop.command(do="fill")["error"]
        shop.deploy(Tagged)
        assert removed(shop, name)["complete"]
        shop.deploy(Customers, Tagged)
        fill_all(shop)
        assert orders_of(shop, Customers, customer="ann") == (2, True)


def test_of_each_item_a_fill_writes_an_entry_and_its_row_follows() -> None:
    shop = stored(Customers)
    with shop.delivered():
        fill_all(shop)
        shop.drain()
        written = [item["pk"]["S"] for item in shop.all(lambda item: Customers.declared.full_name in item["pk"]["S"])]
        assert len(written) == 3 + 2, "an entry for each order, and a row for each customer"


def test_a_former_version_is_removed_with_all_that_was_kept_of_it() -> None:
    shop, former = stored(Customers, Bought, Buyers), Customers.declared.full_name
    with shop.delivered():
        fill_all(shop)
        answer = shop.command(do="remove", view=former)
        assert answer == {"error": "view: is still declared: first deploy without it"}
        shop.deploy(Bought, Buyers)
        assert shop.command(do="remove", view="Customers")["error"].startswith("view: must be the name of a view")
        assert removed(shop, former)["removed"] == 3 + 2
        with pytest.raises(NotYetFilledError):
            Customers.get(shop.table, customer="ann")
        shop.drain()
        shop.wait(37 * HOUR // SECOND)
        shop.command(do="sweep")
        assert shop.all(lambda item: former in item["pk"]["S"] or former in item["sk"]["S"]) == []
        assert orders_of(shop, Buyers, product="tea") == (2, True)
