"""Writes and reads orders."""

from functools import partial

from edgewise import (
    BY_VALUE,
    Condition,
    Item,
    Millis,
    NotFoundError,
    Position,
    Put,
    RefusedError,
    Table,
    created,
    decoded,
)
from edgewise.sharding import listing, relief
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ALL_OPEN, AMONG_ALL_OPEN, ORDER

# Shipping is the only change of an order, so an order that is still among the open ones is as it was read.
_OPEN = Condition(present=("GSI3PK",))


def create(table: Table, order: Order) -> Order:
    """Store a new order; if one with its id exists, keeps and returns that one."""
    with relief.shard(table, BY_VALUE, ALL_OPEN, order.digest) as shard:
        return created(table, ORDER.encode(order, shard), ORDER.decode, "order", order.id) or order


def ship(table: Table, customer: str, order_id: str, at: Millis) -> Order:
    """Remove an order from the open ones; one that was shipped before stays as it is. Raises NotFoundError."""
    order = _found(table.get(ORDER.key(customer, order_id)), order_id)
    if not order.is_open():
        return order
    shipped = order.shipped(at)
    try:
        table.write(Put(ORDER.encode(shipped), _OPEN))
    except RefusedError as refusal:
        found = _found(refusal.item, order_id)
        if found.is_open():
            raise
        return found
    return shipped


def _found(item: Item | None, order_id: str) -> Order:
    if item is None:
        raise NotFoundError("order", order_id)
    return decoded(ORDER.decode, item)


def open_between(
    table: Table, start: Millis | None, end: Millis | None, limit: int, after: Position | None
) -> tuple[list[Order], Position | None]:
    """One page of all customers' open orders from `start` on and before `end`, in order, and the next position."""
    queries = partial(AMONG_ALL_OPEN.in_shards, start=start, end=end)
    return listing.page(table, ALL_OPEN, queries, limit, after, ORDER.decode)
