"""Items of orders. Only an open order carries index keys: shipping it takes them away (a sparse index)."""

from collections.abc import Callable, Mapping
from typing import Any

from functions.domain.measures import measurable
from functions.domain.orders import Order
from functions.domain.times import from_rfc_3339, rfc_3339
from functions.store import keys
from functions.store.attributes import Item, integer, key_item, n, number, s, string


def order_item(order: Order) -> Item:
    """One order; while it is open, with its entries by customer and among those of all customers."""
    item: Item = key_item(keys.orders.order(order.customer, order.id)) | {
        "Type": s("ORDER"),
        "OpenedAt": s(rfc_3339(order.opened_at)),
        "Amount": n(order.amount),
    }
    if order.shipped_at is not None:
        return item | {"ShippedAt": s(rfc_3339(order.shipped_at))}
    return item | {
        "GSI1PK": s(keys.orders.open_shard(order.customer, order.id)),
        "GSI1SK": s(keys.orders.opened(order.opened_at, order.customer, order.id)),
        "GSI3PK": s(keys.orders.open_of(order.customer)),
        "GSI3SK": n(order.opened_at),
    }


def order(item: Item) -> Order:
    """The inverse of order_item; refuses amounts whose sums would be rounded."""
    names = keys.orders.parse_order(string(item["PK"]), string(item["SK"]))
    shipped_at = from_rfc_3339(string(item["ShippedAt"])) if "ShippedAt" in item else None
    return Order(*names, from_rfc_3339(string(item["OpenedAt"])), measurable(number(item["Amount"])), shipped_at)


def open_order(entry: Item) -> Order:
    """An open order from its entry in the index by number or by value, whose sort keys say when it was opened."""
    names = keys.orders.parse_order(string(entry["PK"]), string(entry["SK"]))
    by_number = "GSI3SK" in entry
    opened_at = integer(entry["GSI3SK"]) if by_number else keys.orders.parse_opened(string(entry["GSI1SK"]))
    return Order(*names, opened_at, number(entry["Amount"]))


SOURCES: Mapping[str, Callable[[Item], Any]] = {"ORDER": order}
