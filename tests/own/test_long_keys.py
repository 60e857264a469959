"""Keys of any length that DynamoDB takes, and an index of the owner's that turns the table's keys round.

moto does not mind how long keys are, so this asks DynamoDB Local.
"""

from collections.abc import Iterator

import pytest

from delivery import NONE
from edgewise import OwnTable, totals
from edgewise.own.totals import Totals
from tests.support.own_tables import NAME, Indexes, Shop

OWN = OwnTable("customer", "what")
ROUND: Indexes = {"round": {"what": "S", "customer": "S"}}


@pytest.fixture
def shops(java: None, dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[list[Shop]]:
    aws_env.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local)
    made = list[Shop]()
    yield made
    for shop in made:
        for name in shop.streams:
            shop.owner.delete_table(TableName=name)


def products(own: OwnTable, backfill: str = "") -> Totals:
    return totals(own.items("order"), "PRODUCT", by="product", of="euros", top=3, backfill=backfill)


def order(shop: Shop, number: int, product: str) -> None:
    item = {"customer": {"S": "ann"}, "what": {"S": f"order-{number}"}, "product": {"S": product}}
    shop.owner.put_item(TableName=NAME, Item=item | {"euros": {"N": "10"}})


@pytest.mark.parametrize("letter", ["p", "é"])
def test_a_value_that_no_key_has_room_for_is_set_aside_and_others_count(shops: list[Shop], letter: str) -> None:
    """In an index that turns the keys round, what is a partition in the table may only have 1,024 bytes."""
    shop = Shop(OWN, 3, NONE, ROUND)
    shops.append(shop)
    shop.deploy(products(OWN))
    long, too_long = (letter * (size // len(letter.encode())) for size in (940, 1_100))
    with shop.delivered():
        order(shop, 1, long)
        order(shop, 2, too_long)
        order(shop, 3, "tea")
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        assert aside["error"].startswith("order: ValueError: product makes a key of 1,108 bytes")
        assert [products(OWN).read(shop.table, each).count for each in (long, too_long, "tea")] == [1, 0, 1]


@pytest.mark.parametrize("forms", ["SS", "BS", "SB"])
def test_a_backfill_notes_items_of_the_longest_keys(shops: list[Shop], forms: str) -> None:
    own = OwnTable("customer", "what", forms)
    shop = Shop(own, 3, NONE)
    shops.append(shop)
    longest = {"customer": 2_048, "what": 1_024}
    keys = {name: {"S": "k" * size} if own.keys[name] == "S" else {"B": b"k" * size} for name, size in longest.items()}
    item = {**keys, "product": {"S": "tea"}, "euros": {"N": "10"}}
    with shop.delivered():
        shop.deploy(products(own, "first"))
        while not shop.command(do="backfill", per_second=5000)["complete"]:
            shop.wait(60)
        shop.owner.put_item(TableName=NAME, Item=item)
        shop.drain()
        shop.owner.put_item(TableName=NAME, Item=item | {"euros": {"N": "15"}})
        shop.drain()
        found = products(own, "first").read(shop.table, "tea")
    assert (found.count, int(found.sum)) == (1, 15)
