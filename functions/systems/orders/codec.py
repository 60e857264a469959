"""Items of orders. Every order points at its customer; only open orders are also in the two sparse indexes."""

from collections.abc import Mapping

from functions.aggregates.measures import measurable
from functions.dynamodb.attributes import Attribute, Item, key_item, n, number, s, string
from functions.sharding.lists import FIRST
from functions.systems.orders import keys
from functions.systems.orders.entity import Order
from functions.times import from_rfc_3339, rfc_3339


def order_item(order: Order, shard: int = FIRST) -> Item:
    """One order; while it is open, it is listed among those of all customers, in this shard.

    Its data is one attribute, which every index projects, so each index entry has the whole order.
    """
    item: Item = key_item(keys.order(order.customer, order.id)) | {
        "Type": s("ORDER"),
        "Data": {"M": _data(order)},
        "GSI2PK": s(keys.customer(order.customer)),
        "GSI2SK": s(keys.dated(order.opened_at, order.id)),
    }
    return item if order.shipped_at is not None else item | _while_open(order, shard)


def order(item: Item) -> Order:
    """The inverse of order_item, also of entries of the indexes; refuses amounts whose sums would be rounded."""
    names = keys.parse_order(string(item["PK"]), string(item["SK"]))
    data = item["Data"]["M"]
    shipped_at = from_rfc_3339(string(data["ShippedAt"])) if "ShippedAt" in data else None
    return Order(*names, from_rfc_3339(string(data["OpenedAt"])), measurable(number(data["Amount"])), shipped_at)


def _data(order: Order) -> Mapping[str, Attribute]:
    data = {"OpenedAt": s(rfc_3339(order.opened_at)), "Amount": n(order.amount)}
    return data if order.shipped_at is None else data | {"ShippedAt": s(rfc_3339(order.shipped_at))}


def _while_open(order: Order, shard: int) -> Item:
    """The entries among the customer's open orders and among those of all customers; shipping removes them."""
    return {
        "GSI1PK": s(keys.ALL_OPEN.shard(shard)),
        "GSI1SK": s(keys.opened(order.opened_at, order.customer, order.id)),
        "GSI3PK": s(keys.open_of(order.customer)),
        "GSI3SK": n(order.opened_at),
    }
