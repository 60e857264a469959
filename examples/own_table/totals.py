"""What a shop knows of its orders: the table was there before, and its items are as the shop writes them."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from edgewise import (
    ITEM,
    BeginsWith,
    Catalog,
    ExistingTable,
    Extremal,
    Fed,
    Feed,
    FromSources,
    Item,
    Kind,
    Observation,
    Partitions,
    Query,
    Read,
    Shared,
    Source,
    others,
)

# The shop's keys: a customer's orders are order-1, order-2 …; beside them are addresses and payments.
SHOP = ExistingTable("customer", "what", lambda item: "order" if item["what"]["S"].startswith("order-") else None)


class Order(NamedTuple):
    """What the totals need to know of an order."""

    customer: str
    product: str
    amount: Decimal


def order(item: Item) -> Order:
    """An order, from an item of the shop's."""
    stored = item[ITEM]["M"]
    return Order(stored["customer"]["S"], stored["product"]["S"], Decimal(stored["euros"]["N"]))


def orders_of(customer: str) -> Query:
    """All orders of a customer."""
    return Query(others(customer), BeginsWith("order-"))


def of_customer(order: Order) -> Fed:
    """An order feeds its customer's totals."""
    yield (order.customer,), {"Orders": Observation(value=order.amount)}


def of_product(order: Order) -> Fed:
    """And those of its product, which all shards feed."""
    yield (order.product,), {"Sold": Observation(amount=order.amount)}


ORDERS = Source("order", order)
CUSTOMER = Kind(
    name="CUSTOMER",
    rank=1,
    cells="orders of a customer; the sum, the smallest and the greatest amount",
    feeds=(Feed(ORDERS, of_customer),),
    partitions=Partitions("CUSTOMER"),
    sources=lambda reader, customer: reader.read(orders_of(customer)),
    parts=(Extremal(FromSources(lambda _, customer: iter([Read(orders_of(customer))]))),),
)


def _none(*_: object) -> Iterator[Item]:
    return iter(())


PRODUCT = Kind(
    name="PRODUCT",
    rank=1,
    cells="orders of a product, and the sum of their amounts",
    feeds=(Feed(ORDERS, of_product),),
    partitions=Partitions("PRODUCT"),
    sources=_none,
    parts=(Shared(),),
)
CATALOG = Catalog((CUSTOMER, PRODUCT))
