"""Keys of orders: partition CUSTOMER#id holds a customer's summary and orders.

Partition OPEN_ORDERS#SHARDS says how many shards the list of all open orders has, in the index by value.
"""

from functions.dynamodb.keys import Key, Partitions, digest, join, prefix, take
from functions.sharding.lists import ShardedList
from functions.times import Millis, rfc_3339

CUSTOMERS = Partitions("CUSTOMER")
# In the indexes by number and by value.
OPEN, OPEN_ORDERS = Partitions("OPEN"), Partitions("OPEN_ORDERS")
# The open orders of all customers, in the index by value.
ALL_OPEN = ShardedList(OPEN_ORDERS, ())

ORDERS_END = "ORDER$"  # `$` follows the delimiter: after the last order, before anything else
_BEFORE_ALL_TIMES, _AFTER_ALL_TIMES = "0", ":"  # the characters around the digits


def customer(customer_id: str) -> str:
    """The partition of a customer; in the index by target, that of all the customer's orders."""
    return CUSTOMERS(customer_id)


def order(customer_id: str, order_id: str) -> Key:
    """One order."""
    return Key(customer(customer_id), join("ORDER", order_id))


def parse_order(pk: str, sk: str) -> tuple[str, str]:
    """Customer and id of an order; raises ValueError for another kind of key."""
    _, customer_id = take(pk, "CUSTOMER", 2)
    _, order_id = take(sk, "ORDER", 2)
    return customer_id, order_id


def open_of(customer_id: str) -> str:
    """The partition, in the index by number, of a customer's open orders, sorted by milliseconds."""
    return OPEN(customer_id)


def opened(at: Millis, customer_id: str, order_id: str) -> str:
    """The sort key of an order among the open ones: its instant, then a digest, which no two shards share."""
    return join(rfc_3339(at), digest(customer_id, order_id))


def dated(at: Millis, order_id: str) -> str:
    """The sort key of an order among all orders of its customer, in the index by target: its instant, then its id."""
    return join("ORDER", rfc_3339(at), order_id)


def dated_between(start: Millis | None, end: Millis | None) -> tuple[str, str]:
    """The first and last key of a customer's orders opened from `start` on and before `end`, both optional."""
    low = prefix("ORDER") if start is None else join("ORDER", rfc_3339(start))
    high = ORDERS_END if end is None else join("ORDER", rfc_3339(end))
    return low, high


def opened_between(start: Millis | None, end: Millis | None) -> tuple[str, str]:
    """The first and last key of the orders opened from `start` on and before `end`, both optional."""
    low = _BEFORE_ALL_TIMES if start is None else rfc_3339(start)
    high = _AFTER_ALL_TIMES if end is None else rfc_3339(end)
    return low, high
