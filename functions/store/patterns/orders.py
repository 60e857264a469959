"""Reads of orders: which index, which key condition."""

from collections.abc import Sequence

from functions.domain.times import Millis
from functions.store import keys
from functions.store.queries import Between, Query
from functions.store.schema import BY_NUMBER, BY_VALUE


def customer(customer_id: str) -> Query:
    """A customer's summary, then all the customer's orders."""
    return Query(keys.orders.customer(customer_id), Between(keys.nodes.NODE_SUMMARY, keys.orders.ORDERS_END))


def open_of(customer_id: str, *, forward: bool = True) -> Query:
    """A customer's open orders, by when they were opened."""
    return Query(keys.orders.open_of(customer_id), None, BY_NUMBER, forward)


def opened_between(start: Millis | None, end: Millis | None) -> Sequence[Query]:
    """The open orders of all customers, opened from `start` on and before `end`, both optional: one query a shard."""
    condition = Between(*keys.orders.opened_between(start, end))
    return [Query(partition, condition, BY_VALUE) for partition in keys.orders.open_shards()]
