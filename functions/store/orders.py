"""Orders written and read."""

from collections.abc import Mapping

from functions.domain.errors import AlreadyShippedError, ConcurrentChangeError, NotFoundError
from functions.domain.measures import Cell
from functions.domain.orders import Order
from functions.domain.times import Millis
from functions.store import codec, keys, merge, nodes, pages, patterns
from functions.store.attributes import Item
from functions.store.decoding import decoded, each
from functions.store.queries import Position, Query
from functions.store.table import RefusedError, Table
from functions.store.writes import ABSENT, Condition, Put

# An order changes in no other way than that it ships, so one that still stands among the open ones is as it was read.
_OPEN = Condition(present=("GSI3PK",))


def create(table: Table, order: Order) -> Order:
    """Store a new order; if there is one under its id already, it stays and is the answer."""
    try:
        table.write(Put(codec.orders.order_item(order), ABSENT))
    except RefusedError as refusal:
        if refusal.item is None:
            raise ConcurrentChangeError("order", order.id) from refusal
        return decoded(codec.orders.order, refusal.item)
    return order


def ship(table: Table, customer: str, order_id: str, at: Millis) -> Order:
    """Take an order off the open ones; raises NotFoundError, or AlreadyShippedError if it is none of them."""
    item = table.get(keys.orders.order(customer, order_id))
    shipped = _still_open(item, order_id).shipped(at)
    try:
        table.write(Put(codec.orders.order_item(shipped), _OPEN))
    except RefusedError as refusal:
        _still_open(refusal.item, order_id)
        raise
    return shipped


def _still_open(item: Item | None, order_id: str) -> Order:
    if item is None:
        raise NotFoundError("order", order_id)
    order = decoded(codec.orders.order, item)
    if order.shipped_at is not None:
        raise AlreadyShippedError(order_id, order.shipped_at)
    return order


def of_customer(
    table: Table, customer: str, limit: int, after: Position | None
) -> tuple[Mapping[str, Cell] | None, list[Order], Position | None]:
    """A customer's numbers, if they are on this page, one page of all the customer's orders, and where to go on."""
    query = patterns.orders.customer(customer)
    members, found, position = nodes.collection(table, query, limit, after, codec.orders.order)
    numbers = next((member.cells for member in members), None)
    return numbers, found, position


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Order], Position | None]:
    """One page of a customer's orders by when they were opened, and where to go on."""
    return pages.listed(table, query, limit, after, codec.orders.order)


def open_between(
    table: Table, start: Millis | None, end: Millis | None, limit: int, after: Position | None
) -> tuple[list[Order], Position | None]:
    """One page of all customers' open orders from `start` on and before `end`, in order, and where to go on."""
    found = merge.page(table, patterns.orders.opened_between(start, end), limit, after)
    return each(table, codec.orders.order, found.items), found.next
