"""Access patterns of orders."""

from decimal import Decimal

from docs.patterns import example
from docs.patterns.pattern import Read, Write, directory_read
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ALL_OPEN, AMONG_ALL_OPEN, BY_DATE, CUSTOMERS, OPEN_OF_CUSTOMER, ORDER

AUGUST, NOON, SEPTEMBER = (
    from_rfc_3339(f"2018-{instant}.000Z") for instant in ("08-01T00:00:00", "08-29T12:00:00", "09-01T00:00:00")
)

_CUSTOMER = {"customer": "Padma"}


def _orders(table: Table) -> None:
    """Open orders in two shards of their list, and one shipped order."""
    placed = [Order("Padma", f"o{number:02d}", NOON + number, Decimal("9.50")) for number in range(24)]
    listed = [ORDER.encode(order, 1 + number % 2) for number, order in enumerate(placed)]
    shipped = ORDER.encode(Order("Padma", "o99", NOON, Decimal(20)).shipped(SEPTEMBER))
    example.store(table, example.widened(ALL_OPEN, 2), *listed, shipped)


READS = (
    Read(
        "a customer's numbers and orders",
        "GET /customers/{customer}/orders",
        _CUSTOMER,
        {},
        [ORDER.with_summary("Padma")],
        units=1.0,
        given=_orders,
    ),
    Read(
        "a customer's orders before, after or between dates, open and shipped",
        "GET /customers/{customer}/orders",
        _CUSTOMER,
        {"from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [BY_DATE.query("Padma", start=AUGUST, end=SEPTEMBER)],
        units=0.5,
        given=_orders,
    ),
    Read(
        "a customer's open orders, newest first",
        "GET /customers/{customer}/orders",
        _CUSTOMER,
        {"status": "open", "order": "desc"},
        [OPEN_OF_CUSTOMER.query("Padma", forward=False)],
        units=0.5,
        given=_orders,
    ),
    Read(
        "the open orders of all customers between two instants",
        "GET /orders/open",
        {},
        {"from": "2018-08-01T00:00:00Z", "to": "2018-09-01T00:00:00Z"},
        [
            example.history(ALL_OPEN),
            *AMONG_ALL_OPEN.in_shards(ALL_OPEN.shards(2), AUGUST, SEPTEMBER),
        ],
        units=2.0,
        bound=example.BOUND,
        given=_orders,
    ),
    directory_read("all customers, by id", "GET /customers", CUSTOMERS, _orders, "a new customer"),
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
