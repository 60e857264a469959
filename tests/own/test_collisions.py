"""What would collide with the engine's items is refused by its name, before anything is counted."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from delivery import NONE, window_event
from edgewise import OwnTable
from edgewise.aggregates import doubts
from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import FormerFormatError
from edgewise.own.collisions import CollisionError
from edgewise.stream import lost
from edgewise.views.view import kept
from tests.own.orders import name, order, views
from tests.support.http import Context
from tests.support.own_tables import NAME, Indexes, Shop, table_request

OWN, APART = OwnTable("customer", "what"), OwnTable("customer", "what", apart=True)
MINE: Indexes = {"edgewise-v1": {"EdgewisePK": "S", "EdgewiseSK": "S"}}


def declared(own: OwnTable) -> Any:
    return views(own).products


PRODUCTS, TEA = declared(OWN), {"product": "tea"}
PARTITION = f"edgewise#{name(PRODUCTS)}#tea"


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield


@pytest.mark.parametrize("name", ["Edgewise", "EdgewisePK", "EdgewiseCounted", "EdgewiseAnything"])
def test_a_key_that_is_called_as_the_engines_attributes_is_refused(name: str) -> None:
    for named in ((name, "what"), ("customer", name), (name,)):
        with pytest.raises(DeclarationError, match=f"the key {name} can't be told from what the engine writes"):
            OwnTable(*named)


def event(shop: Shop) -> Any:
    """The first batch of the table's stream."""
    shard = next(each for each in shop.streams[NAME].shards if each.records)
    return window_event(shard.id, [each.form for each in shard.records])


@pytest.mark.parametrize(
    ("own", "indexes", "why"),
    [
        (OWN, {"mine": {"EdgewiseCounted": "N"}}, "the index mine has the key EdgewiseCounted: only the engine's"),
        (APART, {"mine": {"EdgewiseCounted": "N"}}, "the index mine has the key EdgewiseCounted"),
        (OWN, {"mine": {"product": "S", "EdgewisePK": "S"}}, "the index mine has the key EdgewisePK"),
        (OWN, {"edgewise": MINE["edgewise-v1"]}, "the index edgewise is of another release: remove all items whose"),
    ],
)
def test_an_index_that_collides(own: OwnTable, indexes: Indexes, why: str) -> None:
    shop = Shop(own, 1, NONE, indexes)
    shop.deploy(declared(own))
    order(shop, 1, 10)
    for _ in range(2):
        with pytest.raises(CollisionError, match=f"shop: {why}"):
            shop.handler(event(shop), Context())
    with pytest.raises(CollisionError, match=why):
        shop.operators({"do": "list"}, Context())


def test_what_the_reader_refuses_for_23_hours_is_noted_when_it_is_given_up() -> None:
    """The last line looks at no collision: nothing else would ever tell that these records are lost."""
    shop = Shop(OWN, 1, NONE, {"mine": {"EdgewiseCounted": "N"}, **MINE})
    shop.deploy(PRODUCTS)
    order(shop, 1, 10)
    lost.client.cache_clear()
    boto3.client("s3").create_bucket(Bucket="lost")
    boto3.client("s3").put_object(Bucket="lost", Key="some", Body=json.dumps({"payload": json.dumps(event(shop))}))
    assert PRODUCTS.get(shop.table, **TEA).complete
    assert shop.handler({"detail": {"bucket": {"name": "lost"}, "object": {"key": "some"}}}, Context()) is None
    lost.client.cache_clear()
    assert not PRODUCTS.get(shop.table, **TEA).complete


@pytest.mark.parametrize(
    ("own", "name"),
    [(APART, "edgewise"), (APART, "edgewise-v1"), (OWN, "edgewise")],
    ids=str,
)
def test_an_index_of_the_owner_that_is_only_called_so(own: OwnTable, name: str) -> None:
    shop = Shop(own, 1, NONE, {name: {"product": "S"}, **({} if own.apart else MINE)})
    shop.deploy(declared(own))
    order(shop, 1, 10)
    assert shop.command(do="list")["count"] == 0


@pytest.mark.parametrize(
    "indexes", [{}, {"edgewise-v2": MINE["edgewise-v1"]}, {"edgewise-v1": {"EdgewisePK": "S"}}], ids=str
)
def test_a_table_without_the_engines_index(indexes: Indexes) -> None:
    shop = Shop(OWN, 1, NONE)
    shop.owner.delete_table(TableName=NAME)
    shop.owner.create_table(**table_request(OWN, indexes))
    shop.deploy(PRODUCTS)
    order(shop, 1, 10)
    with pytest.raises(
        CollisionError, match=r"the index edgewise-v1 |lacks the index edgewise-v1|edgewise-v2 is of another"
    ):
        shop.handler(event(shop), Context())


def test_a_table_is_asked_for_once_in_a_process() -> None:
    shop, asked = Shop(OWN, 1, NONE), list[str]()
    shop.engine.meta.events.register("before-call.dynamodb.*", lambda model, **_: asked.append(model.name))
    shop.deploy(PRODUCTS)
    with shop.delivered():
        for _ in range(3):
            order(shop, 1, 10)
            shop.drain()
    shop.command(do="list")
    assert asked.count("DescribeTable") == 1


def former(sort: str, **more: Any) -> Item:
    """An item as a release before stored it: all attributes beside the keys."""
    keys: Item = {"customer": {"S": PARTITION}, "what": {"S": sort}}
    return {**keys, "Type": {"S": name(PRODUCTS)}, "Version": {"N": "1"}, "Seqs": {"B": b"\x01"}, **more}


@pytest.fixture
def shop() -> Shop:
    made = Shop(OWN, 1, NONE)
    made.deploy(PRODUCTS)
    return made


WHY = "has no Edgewise, so a release before stored it, or somebody else: remove all items whose partition begins with"


def test_a_row_in_a_former_format_is_refused_by_its_key(shop: Shop) -> None:
    client: Any = shop.table.client
    sort = kept(PRODUCTS.declared).main.key("tea").sk
    with shop.before():
        shop.owner.put_item(TableName=NAME, Item=former(sort))
    with pytest.raises(FormerFormatError, match=f"the item customer {PARTITION}, what {sort} {WHY}"):
        PRODUCTS.get(shop.table, **TEA)
    with pytest.raises(FormerFormatError):
        client.scan_others(TableName=NAME)
    assert PRODUCTS.get(shop.table, product="mug").orders == 0


def test_an_entry_of_the_index_in_a_former_format_is_refused(shop: Shop) -> None:
    with shop.before():
        listed = {"EdgewisePK": {"S": "QUARANTINE"}, "EdgewiseSK": {"S": "1"}}
        shop.owner.put_item(TableName=NAME, Item=former("1", **listed))
    with pytest.raises(FormerFormatError):
        shop.command(do="list")


def test_what_is_written_in_a_former_format_is_set_aside_and_what_is_removed_counts_nothing(shop: Shop) -> None:
    with shop.delivered():
        with shop.before():
            shop.owner.put_item(TableName=NAME, Item=former("away"))
        shop.owner.delete_item(TableName=NAME, Key={name: former("away")[name] for name in ("customer", "what")})
        order(shop, 1, 10)
        shop.drain()
        assert PRODUCTS.get(shop.table, **TEA).complete
        assert shop.command(do="list")["count"] == 0
        shop.owner.put_item(TableName=NAME, Item=former("later"))
        shop.drain()
        found = PRODUCTS.get(shop.table, **TEA)
        assert (found.orders, found.complete) == (1, False)
        assert doubts.told(shop.table.get(doubts.KEY)).names == {doubts.EVERYTHING}
        for aside in shop.command(do="list")["records"]:
            assert aside["error"].startswith(f"ValueError: the item customer {PARTITION}, what later {WHY}")


def test_what_a_former_release_wrote_last_is_applied_as_nothing_once_it_is_removed(shop: Shop) -> None:
    """The way out counts all anew. Until then, nobody may trust what lacks it."""
    last = former("later")
    with shop.delivered():
        shop.owner.put_item(TableName=NAME, Item=last)
        shop.owner.put_item(TableName=NAME, Item=former("another"))
        order(shop, 1, 10)
        shop.drain()
        assert shop.command(do="apply")["left"] == 4, "each of both, and its follow-ups"
        shop.owner.delete_item(TableName=NAME, Key={name: last[name] for name in ("customer", "what")})
        shop.drain()
        assert shop.command(do="apply") | {"malformed": []} == {"applied": 2, "malformed": [], "left": 2}
        assert not PRODUCTS.get(shop.table, **TEA).complete
        shop.owner.delete_item(TableName=NAME, Key={name: former("another")[name] for name in ("customer", "what")})
        shop.drain()
        assert shop.command(do="apply") == {"applied": 2, "malformed": [], "left": 0}
        shop.drain()
        shop.wait(6 * 60)
        found = PRODUCTS.get(shop.table, **TEA)
        assert (found.orders, found.complete) == (1, True)
