"""Reads of orders: which index, which key condition."""

from collections.abc import Sequence

from functions.aggregates import keys as aggregate_keys
from functions.dynamodb.queries import Between, Query
from functions.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE
from functions.systems.orders import keys
from functions.times import EARLIEST, LATEST, Millis


def customer(customer_id: str) -> Query:
    """A customer's summary, then all the customer's orders."""
    return Query(keys.customer(customer_id), Between(aggregate_keys.SUMMARY, keys.ORDERS_END))


def dated(customer_id: str, start: Millis | None, end: Millis | None, *, forward: bool = True) -> Query:
    """A customer's orders, open and shipped, opened from `start` on and before `end`, both optional."""
    condition = Between(*keys.dated_between(start, end))
    return Query(keys.customer(customer_id), condition, BY_TARGET, forward)


def open_of(customer_id: str, start: Millis | None = None, end: Millis | None = None, *, forward: bool = True) -> Query:
    """A customer's open orders, opened from `start` on and before `end`, both optional."""
    first, last = EARLIEST - 1 if start is None else start, LATEST if end is None else end - 1
    condition = None if start is None and end is None else Between(first, last)
    return Query(keys.open_of(customer_id), condition, BY_NUMBER, forward)


def opened_between(partitions: Sequence[str], start: Millis | None, end: Millis | None) -> Sequence[Query]:
    """The open orders of all customers, opened from `start` on and before `end`, both optional: one query per shard."""
    condition = Between(*keys.opened_between(start, end))
    return [Query(partition, condition, BY_VALUE) for partition in partitions]
