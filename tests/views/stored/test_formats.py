"""Releases of two formats meet one table: each refuses by name what the other stored, and changes nothing of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from delivery import NONE, window_event
from edgewise.dynamodb import existing, translating
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import OtherFormatError
from edgewise.views import View, count, group_by
from tests.support.http import Context
from tests.support.own_tables import NAME, Shop
from tests.views.shop import SHOP, Order, put


class Orders(View, of=Order):
    customer = group_by(Order.customer)
    orders = count()


KEY: Any = {"pk": {"S": f"edgewise#{Orders.declared.full_name}#ann"}, "sk": {"S": "AT"}}
LATER: Item = {**KEY, "EdgewiseVersion": {"N": "7"}, "Edgewise2": {"M": {"Any": {"S": "thing"}}}}
WAY_OUT = "deploy the release that stored it, or remove all items whose partition begins with edgewise#"


@pytest.fixture
def shop() -> Shop:
    made = Shop(SHOP, 1, NONE, shards=1)
    made.deploy(Orders)
    return made


@contextmanager
def next_release() -> Iterator[None]:
    """A release whose format has the next number."""
    with (
        patch.multiple(existing, FORMAT=2, MAP="Edgewise2", LISTED="Edgewise2Listed"),
        patch.multiple(translating, MAP="Edgewise2", INDEX="edgewise-v2"),
    ):
        yield


def batch(shop: Shop) -> Any:
    """What is in the stream so far."""
    (shard,) = shop.streams[NAME].shards
    return window_event(shard.id, [each.form for each in shard.records])


def stored(shop: Shop) -> Any:
    return shop.owner.get_item(TableName=NAME, Key=KEY).get("Item")


def test_a_release_refuses_what_the_next_one_stored_and_leaves_it(shop: Shop) -> None:
    with shop.before():
        shop.owner.put_item(TableName=NAME, Item=LATER)
    why = f"the item pk {KEY['pk']['S']}, sk AT is stored in format 2, and this release knows format 1 alone: {WAY_OUT}"
    with pytest.raises(OtherFormatError, match=why):
        Orders.get(shop.table, customer="ann")
    put(shop, "ann", 1)
    with pytest.raises(OtherFormatError):
        shop.handler(batch(shop), Context())
    assert stored(shop) == LATER


def test_the_next_release_refuses_what_this_one_stored_and_leaves_it(shop: Shop) -> None:
    with shop.delivered():
        put(shop, "ann", 1)
    before = stored(shop)
    put(shop, "ann", 2)
    with next_release():
        with pytest.raises(OtherFormatError, match=r"is stored in format 1, and this release knows format 2 alone"):
            Orders.get(shop.table, customer="ann")
        with pytest.raises(OtherFormatError):
            shop.handler(batch(shop), Context())
    assert stored(shop) == before
    with shop.delivered():
        pass
    assert Orders.get(shop.table, customer="ann").orders == 2, "this release goes on where it was"


def test_what_the_next_release_wrote_last_is_set_aside_until_it_is_removed(shop: Shop) -> None:
    with shop.delivered():
        shop.owner.put_item(TableName=NAME, Item={**LATER, "sk": {"S": "another"}})
        put(shop, "bob", 1)
        shop.drain()
        assert not Orders.get(shop.table, customer="bob").complete
        assert shop.command(do="apply")["left"] > 0
        shop.owner.delete_item(TableName=NAME, Key={**KEY, "sk": {"S": "another"}})
        shop.drain()
        assert shop.command(do="apply")["left"] == 0
        shop.drain()
        shop.wait(6 * 60)
        assert Orders.get(shop.table, customer="bob").complete
