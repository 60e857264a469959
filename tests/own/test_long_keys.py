"""Keys of any length that DynamoDB takes, and an index of the owner's that turns the table's keys round.

moto does not mind how long keys are, so this asks DynamoDB Local.
"""

from collections.abc import Iterator

import pytest

from delivery import NONE
from edgewise import OwnTable
from tests.own.orders import OWN, name, order, views
from tests.support.own_tables import NAME, Indexes, Shop

ROUND: Indexes = {"round": {"what": "S", "customer": "S"}}


@pytest.fixture
def shops(java: None, dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[list[Shop]]:
    aws_env.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local)
    made = list[Shop]()
    yield made
    for shop in made:
        for each in shop.streams:
            shop.owner.delete_table(TableName=each)


@pytest.mark.parametrize("letter", ["p", "é"])
def test_a_value_that_no_key_has_room_for_is_set_aside_and_others_count(shops: list[Shop], letter: str) -> None:
    """In an index that turns the keys round, what is a partition in the table may only have 1,024 bytes."""
    shop, (_, products, _, best) = Shop(OWN, 3, NONE, ROUND), views()
    shops.append(shop)
    shop.deploy(products, best)
    long, too_long = (letter * (size // len(letter.encode())) for size in (930, 1_100))
    with shop.delivered():
        order(shop, 1, 10, product=long)
        order(shop, 2, 20, product=too_long)
        order(shop, 3, 30)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        of_products, of_best = sorted(aside["error"].split("; "), reverse=True)
        assert of_products.startswith(f"{name(products)}: ValueError: product makes a key of 1,120 bytes")
        assert of_best.startswith(f"{name(best)}: ValueError: products makes a key of 1,113 bytes")
        assert [products.get(shop.table, product=each).orders for each in (long, too_long, "tea")] == [1, 0, 1]
        assert [each.member for each in best.ranking(shop.table, best.products).standings] == ["tea", long]


@pytest.mark.parametrize("forms", ["SS", "BS", "SB"])
def test_a_backfill_notes_items_of_the_longest_keys(shops: list[Shop], forms: str) -> None:
    own = OwnTable("customer", "what", forms)
    shop, products = Shop(own, 3, NONE), views(own, backfill="first").products
    shops.append(shop)
    longest = {"customer": 2_048, "what": 1_024}
    keys = {name: {"S": "k" * size} if own.keys[name] == "S" else {"B": b"k" * size} for name, size in longest.items()}
    item = {**keys, "product": {"S": "tea"}, "euros": {"N": "10"}}
    with shop.delivered():
        shop.deploy(products)
        while not shop.command(do="backfill", per_second=5000)["complete"]:
            shop.wait(60)
        shop.owner.put_item(TableName=NAME, Item=item)
        shop.drain()
        shop.owner.put_item(TableName=NAME, Item=item | {"euros": {"N": "15"}})
        shop.drain()
        found = products.get(shop.table, product="tea")
    assert (found.orders, int(found.euros)) == (1, 15)
