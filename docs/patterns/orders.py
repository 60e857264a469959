"""Access patterns of orders."""

from decimal import Decimal

from docs.patterns import example
from docs.patterns.pattern import Read, Write, directory_read
from functions.dynamodb.table import Table
from functions.systems.orders import codec as orders_codec
from functions.systems.orders import keys as orders_keys
from functions.systems.orders import patterns as orders_patterns
from functions.systems.orders.entity import Order
from functions.times import from_rfc_3339

AUGUST, NOON, SEPTEMBER = (
    from_rfc_3339(f"2018-{instant}.000Z") for instant in ("08-01T00:00:00", "08-29T12:00:00", "09-01T00:00:00")
)

_CUSTOMER = {"customer": "Padma"}


def _orders(table: Table) -> None:
    """Open orders in two shards of their list, and one shipped order."""
    placed = [Order("Padma", f"o{number:02d}", NOON + number, Decimal("9.50")) for number in range(24)]
    listed = [orders_codec.order_item(order, 1 + number % 2) for number, order in enumerate(placed)]
    shipped = orders_codec.order_item(Order("Padma", "o99", NOON, Decimal(20)).shipped(SEPTEMBER))
    example.store(table, example.widened(orders_keys.ALL_OPEN, 2), *listed, shipped)


READS = (
    Read(
        "a customer's numbers and orders",
        "GET /customers/{customer}/orders",
        _CUSTOMER,
        {},
        [orders_patterns.customer("Padma")],
        units=1.0,
        given=_orders,
    ),
    Read(
        "a customer's orders before, after or between dates, open and shipped",
        "GET /customers/{customer}/orders",
        _CUSTOMER,
        {"from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [orders_patterns.dated("Padma", AUGUST, SEPTEMBER)],
        units=0.5,
        given=_orders,
    ),
    Read(
        "a customer's open orders, newest first",
        "GET /customers/{customer}/orders",
        _CUSTOMER,
        {"status": "open", "order": "desc"},
        [orders_patterns.open_of("Padma", forward=False)],
        units=0.5,
        given=_orders,
    ),
    Read(
        "the open orders of all customers between two instants",
        "GET /orders/open",
        {},
        {"from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [
            example.history(orders_keys.ALL_OPEN),
            *orders_patterns.opened_between(orders_keys.ALL_OPEN.shards(2), AUGUST, SEPTEMBER),
        ],
        units=2.0,
        bound=example.BOUND,
        given=_orders,
    ),
    directory_read("all customers, by id", "GET /customers", orders_keys.CUSTOMERS, _orders, "a new customer"),
)

WRITES = (
    Write(
        "place an order",
        "POST /customers/{customer}/orders",
        _CUSTOMER,
        {"order_id": "o1", "amount": 9.5},
        {"BatchGetItem": 1, "PutItem": 1},
        "4: the order, its entry by date in GSI2, and its entries for open orders in GSI1 and GSI3; the history of "
        "the list in GSI1 is read at most once in 10 s",
    ),
    Write(
        "ship an order",
        "POST /customers/{customer}/orders/{order}/ship",
        _CUSTOMER | {"order": "o01"},
        None,
        {"GetItem": 1, "PutItem": 1},
        "4: the order, its changed entry in GSI2, its deleted entries in GSI1 and GSI3",
        given=_orders,
    ),
)
