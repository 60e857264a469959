"""How orders are stored: partition CUSTOMER#id holds a customer's summary and orders.

Partition OPEN_ORDERS#SHARDS says how many shards the list of all open orders has, in the index by value.
"""

from edgewise import BY_TARGET, BY_VALUE, Entry, ItemType, Partitions, ShardedList
from edgewise.dynamodb.schema import BY_NUMBER
from functions.systems.orders.entity import Order

CUSTOMERS = Partitions("CUSTOMER")
# The open orders of all customers; and an order's entry there.
ALL_OPEN = ShardedList(Partitions("OPEN_ORDERS"), ())
AMONG_ALL_OPEN = Entry(
    BY_VALUE,
    ALL_OPEN,
    "{opened_at}#{digest}",
    Order.is_open,
    why="open orders of all customers by time; an order leaves when it is shipped",
)
# The orders of a customer by instant, and those that are open.
BY_DATE = Entry(
    BY_TARGET,
    "CUSTOMER#{customer}",
    "ORDER#{opened_at}#{id}",
    why="a customer's orders by time; in the table they are by id",
)
OPEN_OF_CUSTOMER = Entry(
    BY_NUMBER,
    "OPEN#{customer}",
    "{opened_at}",
    Order.is_open,
    why="a customer's open orders by time; an order leaves when it is shipped",
)

ORDER = ItemType(
    Order,
    "ORDER",
    partition="CUSTOMER#{customer}",
    sort="ORDER#{id}",
    data="Data",
    entries=(BY_DATE, AMONG_ALL_OPEN, OPEN_OF_CUSTOMER),
)
