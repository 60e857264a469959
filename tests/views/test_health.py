"""How a table's views fare is told by one value, of few requests."""

from datetime import timedelta

import pytest

from delivery import NONE
from edgewise.dynamodb.existing import FormerFormatError
from edgewise.own.health import Fill
from edgewise.views import View, count, group_by, health, sum_of
from tests.support.own_tables import NAME, Shop
from tests.views.shop import SHOP, Order, put


class Spent(View, of=Order):
    customer = group_by(Order.customer)
    orders, net = count(), sum_of(Order.net)


class Filled(View, of=Order, backfill="first"):
    customer = group_by(Order.customer)
    orders = count()


def _shop(view: type[View]) -> Shop:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(view)
    return shop


def test_a_table_that_has_nothing_yet_says_so() -> None:
    found = health(_shop(Spent).table)
    assert (found.as_of, found.behind, found.quarantined, found.doubted) == (None, None, 0, frozenset())
    assert (found.incomplete, found.fills, found.format) == ([], [], None)


def test_it_tells_how_far_the_reader_is_by_heartbeats() -> None:
    shop = _shop(Spent)
    with shop.delivered():
        put(shop, "ann", 1, net=5)
        assert health(shop.table).as_of is None, "there are no heartbeats yet"
        shop.beat()
        told = health(shop.table)
        shop.wait(600)
        later = health(shop.table)
    assert told.as_of is not None
    assert told.behind is not None
    assert told.behind < timedelta(minutes=2)
    assert (later.as_of, later.behind) == (told.as_of, told.behind + timedelta(minutes=10))
    assert later.format == 1


def test_it_tells_what_is_set_aside_and_what_lacks_something() -> None:
    shop = _shop(Spent)
    with shop.delivered():
        put(shop, "ann", 1, net="five")
        shop.drain()
        aside = health(shop.table)
        (record,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=record["shard"], sequence=record["sequence"])
        given_up = health(shop.table)
    assert (aside.quarantined, len(aside.doubted), aside.incomplete) == (1, 1, [])
    assert (given_up.quarantined, given_up.doubted) == (0, aside.doubted)
    assert [(each.kind, list(each.dimensions)) for each in given_up.incomplete] == [(Spent.declared.full_name, ["ann"])]


def test_it_tells_how_far_backfills_are() -> None:
    shop = Shop(SHOP, 1, NONE)
    with shop.before():
        put(shop, "ann", 1, net=5)
        put(shop, "bob", 1, net=5)
    shop.deploy(Filled)
    with shop.delivered():
        put(shop, "ann", 2, net=5)
        shop.drain()
        shop.command(1, do="backfill")
        begun = health(shop.table)
        shop.wait(3600)
        while not shop.command(do="backfill").get("complete"):
            shop.drain()
        over = health(shop.table)
    name = Filled.declared.full_name
    assert (*begun.fills,) == (Fill("first", [name], 0, complete=False),)
    assert {*begun.doubted} == {name}
    (fill,) = over.fills
    assert (fill.name, fill.fills, fill.complete, over.doubted) == ("first", [name], True, frozenset())
    assert fill.seen >= 3, "three orders, and what the engine has in the same table"


def test_it_takes_five_requests() -> None:
    shop = _shop(Spent)
    with shop.delivered():
        put(shop, "ann", 1, net=5)
        shop.beat()
        table = shop.table.apart()
        health(table)
    assert table.usage.requests == 5


def test_items_of_a_format_before_are_refused_with_the_way_out() -> None:
    shop = _shop(Spent)
    shop.owner.put_item(
        TableName=NAME, Item={"pk": {"S": "edgewise#QUARANTINE"}, "sk": {"S": "ALL"}, "Version": {"N": "1"}}
    )
    with pytest.raises(FormerFormatError, match="a release before stored it"):
        health(shop.table)
