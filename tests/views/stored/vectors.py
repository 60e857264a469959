"""What some views store of some orders, as docs/format-1.json has it for readers and writers in any language.

After a change that is meant: `python -m tests.views.stored.vectors` writes it anew.
"""

import json
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from moto import mock_aws

from delivery import NONE
from edgewise import OwnTable
from edgewise.dynamodb.attributes import Item
from edgewise.freshness.telling import Teller
from edgewise.views import (
    Instant,
    Items,
    Number,
    Text,
    View,
    count,
    count_by,
    day_of,
    distinct,
    first_of,
    group_by,
    last_of,
    max_of,
    mean_of,
    min_of,
    month_of,
    stddev_of,
    sum_of,
    top,
)
from tests.conftest import ENV
from tests.support.own_tables import NAME, Shop

FILE = Path(__file__).parents[3] / "docs" / "format-1.json"
SHOP = OwnTable("pk", "sk")


class Order(Items, table=SHOP, starts="order-"):
    customer, product = Text("pk"), Text()
    net, placed = Number("net"), Instant("placed")


class Spent(View, of=Order):
    """Near, by every measure."""

    customer = group_by(Order.customer)
    orders, dear, net = count(), count(where=Order.net >= 10), sum_of(Order.net)
    mean, spread = mean_of(Order.net), stddev_of(Order.net)
    least, greatest = min_of(Order.net), max_of(Order.net)
    earliest, latest = first_of(Order.placed), last_of(Order.placed)


class Sold(View, of=Order):
    """By edges, several keys."""

    product, month = group_by(Order.product), group_by(month_of(Order.placed))
    orders, buyers = count(), distinct(Order.customer)


class Dearest(View, of=Order):
    """By entries."""

    product = group_by(Order.product)
    greatest = max_of(Order.net)


class Best(View, of=Order):
    """No keys; by carriers, and with a ranking."""

    net = sum_of(Order.net)
    products = top(Order.product, by=net)


class Days(View, of=Order):
    """A period alone."""

    day = group_by(day_of(Order.placed))
    orders = count()


class Tried(View, of=Order):
    """By each value, and by one value with all others."""

    customer = group_by(Order.customer)
    products, favourite = count_by(Order.product), count_by(Order.product, max_values=1)


VIEWS = (Spent, Sold, Dearest, Best, Days, Tried)


def order(customer: str, number: int, product: str, net: Any, placed: str) -> Item:
    keys: Item = {"pk": {"S": customer}, "sk": {"S": f"order-{number}"}}
    return {**keys, "product": {"S": product}, "net": net, "placed": {"S": placed}}


ORDERS = (
    order("ann", 1, "green tea", {"N": "12.5"}, "2026-10-31T22:30:00Z"),
    order("ann", 2, "mug #2", {"N": "1234567890123.123456789012345678"}, "2026-11-01T00:00:00.250000Z"),
    order("b$b", 1, "green tea", {"N": "-0.1"}, "2026-10-01T08:00:00Z"),
    order("b$b", 2, "green tea", {"N": "4"}, "2026-11-02T08:00:00Z"),
    # Nobody can read its number: set aside for the views that ask for it.
    order("dan", 1, "mug #2", {"S": "five"}, "2026-11-02T09:00:00Z"),
)
# It was there before anybody counted, and goes: what it was in lacks that.
GONE = order("eve", 1, "pot", {"N": "20"}, "2026-09-01T08:00:00Z")


def stored() -> list[Item]:
    """The engine's items after these orders, in the order of their keys; bytes as text.

    But for how far shards have come: whether that is told depends on how much time passes.
    """
    with patch.object(Teller, "is_due", lambda *_: False):
        return _stored()


def _stored() -> list[Item]:
    shop = Shop(SHOP, 1, NONE, shards=1)
    with shop.before():
        shop.owner.put_item(TableName=NAME, Item=GONE)
    shop.deploy(*VIEWS)
    with shop.delivered():
        for each in ORDERS:
            shop.owner.put_item(TableName=NAME, Item=each)
        shop.owner.delete_item(TableName=NAME, Key={name: GONE[name] for name in ("pk", "sk")})
    shop.owner.delete_table(TableName=NAME)
    found = shop.all(lambda item: item["pk"]["S"].startswith("edgewise#"))
    return sorted(map(_written, found), key=lambda item: (item["pk"]["S"], item["sk"]["S"]))


def text() -> str:
    """The file: an item a line."""
    views = [{"called": view.declared.full_name, **json.loads(view.declared.canonical)} for view in VIEWS]
    parts = {"views": views, "orders": ORDERS, "items": stored()}
    told = [f'"{name}": [\n{_lines(each)}\n]' for name, each in parts.items()]
    return "{" + ",\n".join(['"format": 1', *told]) + "}\n"


def _lines(values: Iterable[Any]) -> str:
    return ",\n".join(json.dumps(each, sort_keys=True) for each in values)


def _written(value: Any) -> Any:
    """A value as JSON has it: bytes in base64, and sets in order."""
    match value:
        case {"SS": texts}:
            return {"SS": sorted(texts)}
        case dict():
            return {name: _written(each) for name, each in value.items()}
        case list():
            return list(map(_written, value))
        case bytes():
            return b64encode(value).decode()
    return value


if __name__ == "__main__":
    with patch.dict("os.environ", ENV), mock_aws():
        FILE.write_text(text())
