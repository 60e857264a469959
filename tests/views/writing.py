"""The tables whose views are drawn at random, in all forms of keys, and what their owner writes into them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from edgewise import OwnTable
from edgewise.dynamodb.attributes import Attribute, Item
from tests.support.own_tables import NAME, Shop
from tests.views.drawing import BUYERS, ORDER, PRODUCTS, REGIONS, STATUSES, TAGS, record

TABLES = (
    *(OwnTable("pk", "sk"), OwnTable("pk", "sk", "SB"), OwnTable("pk", "sk", "SN"), OwnTable("pk")),
    *(OwnTable("pk", "sk", "NB"), OwnTable("pk", "sk", "BN"), OwnTable("pk", forms="B")),
)
START = datetime(2026, 10, 31, 20, tzinfo=UTC)


def key(own: OwnTable, customer: str, number: int) -> Item:
    if not own.sort:
        return {"pk": _key(own.forms, f"{customer}{number}", 10 * ord(customer) + number)}
    return {"pk": _key(own.forms[0], customer, ord(customer)), "sk": _key(own.forms[1], f"{ORDER}{number}", number)}


def _key(form: str, text: str, number: int) -> Attribute:
    forms: Mapping[str, Attribute] = {"S": {"S": text}, "N": {"N": str(number)}, "B": {"B": f"{number}".encode()}}
    return forms[form]


def order(random: Random, own: OwnTable, customer: str, number: int) -> Item:
    """An order as the shop writes it: each attribute may be absent, and an amount NULL, or written as a text."""
    net, at = random.randint(1, 99), START + timedelta(minutes=random.randint(0, 480))
    found: Item = {
        "kind": {"S": "order"},
        "product": {"S": random.choice(PRODUCTS)},
        "status": {"S": random.choice(STATUSES)},
        "buyer": {"S": random.choice(BUYERS)},
        "pieces": {"N": str(random.randint(0, 9))},
        "price": {"M": {"net": random.choice([{"N": str(net)}, {"S": f"{net}.50"}, {"NULL": True}])}},
        "at": random.choice([{"S": at.isoformat()}, {"N": str(int(at.timestamp()))}]),
        "tags": {"SS": random.sample(TAGS, random.randint(1, 3))},
        "region": {"S": random.choice(REGIONS)},
    }
    return key(own, customer, number) | {
        name: value for name, value in found.items() if random.random() > 0.1 or name == "kind"
    }


def change(shop: Shop, random: Random) -> None:
    customer, number = random.choice("ab"), random.randint(1, 6)
    if random.random() < 0.25:
        gone = key(shop.own, customer, number)
        shop.expire(gone) if random.random() < 0.3 else shop.owner.delete_item(TableName=NAME, Key=gone)
    else:
        shop.owner.put_item(TableName=NAME, Item=order(random, shop.own, customer, number))


def orders(shop: Shop) -> list[Mapping[str, Any]]:
    return [record(item) for item in shop.all(lambda item: "kind" in item)]
