"""Views may count the same items: each feeds all whose condition holds of it, and is read for each by itself."""

from collections.abc import Iterator
from typing import Any

import pytest
from moto import mock_aws

from delivery import NONE, make_record
from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.feeds import Feed, Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.kinds import Kind
from edgewise.dynamodb.attributes import Item
from edgewise.views import Items, Number, Text, View, count, group_by, sum_of
from tests.own.orders import OWN, PAID, key, name, order, told, views
from tests.support.http import Context
from tests.support.own_tables import NAME, Shop

ANN = {"customer": "ann"}


class Order(Items, table=OWN):
    customer, euros = Text(), Number()


class Every(View, of=Order):
    customer = group_by(Order.customer)
    orders, euros = count(), sum_of(Order.euros)


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield


def test_a_recount_asks_whether_the_condition_holds_of_an_item() -> None:
    shop, paid = Shop(OWN, 1, NONE), views().customers
    shop.deploy(Every)
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20, state={"S": "open"})
        shop.drain()
        shop.deploy(Every, paid)
        found = shop.command(do="recount", kind=name(paid), dimensions=["ann"])
    assert (found["equal"], found["should"]) == (False, {"Count": "1", "euros": "1 10 10 10"}), "declared too late"


def test_what_comes_again_after_its_checkpoints_have_gone_and_is_read_in_part_counts_once() -> None:
    """Nothing tells any more who has counted it. Once it is applied, all say so whom it concerns."""
    shop = Shop(OWN, 2, NONE)
    shop.deploy(Every, *views())

    def deliver(shard: str, number: int, at: float) -> None:
        item: Any = key(number) | {"euros": {"N": "10"}}
        record = make_record(shop.streams[NAME].source, None, item, 100 + number, at)
        shop.handler({"Records": [record.form], "shardId": shard}, Context())

    with shop.delivered():
        began = shop.streams[NAME].clock.now
        deliver("a", 1, began)
        shop.wait(37 * 3600)
        deliver("b", 2, shop.streams[NAME].clock.now)
        assert told(shop, Every, **ANN) == (2, 20, True)
        shop.deploy(Every, *views(strict=True))
        deliver("a", 1, began)
        assert told(shop, Every, **ANN) == (2, 20, False)
        shop.deploy(Every, *views())
        shop.command(do="apply")
        assert told(shop, Every, **ANN) == (2, 20, False)
        assert shop.command(do="list")["count"] == 0


def _declared(name: str, *sets: str) -> Kind:
    feeds = tuple(Feed(Source("ITEM", _decode, of_set=each), _into) for each in sets)
    return Kind(name=name, rank=1, cells="", feeds=feeds, key=KeyTemplate(name + "#{value}"))


def _into(_: object) -> Any:
    return iter(())


def _decode(item: Item) -> Item:
    return item


def test_an_aggregate_is_fed_by_one_set() -> None:
    """Of a record that can be read as one of a set alone, it could not tell what it has absorbed."""
    with pytest.raises(DeclarationError, match="BOTH is fed by items of two sets"):
        Catalog([_declared("BOTH", "all", "open")])


def test_all_items_of_a_type_are_in_sets_or_none_is() -> None:
    """A record that can't be read as one of a set would be set aside, although those of none have counted it."""
    with pytest.raises(DeclarationError, match="items of type ITEM are counted as those of a set, and as those of"):
        Catalog([_declared("ALL", "all"), _declared("EVERY", "")])
    Catalog([_declared("ALL", "all"), _declared("OPEN", "open")])
