"""Orders: opened by requests that are sent twice, and shipped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from random import Random

from ops.api import Api
from ops.recounting.facts import Facts, Name
from ops.recounting.readback import fields, get
from verify.corner import Corner
from verify.facts import Check
from verify.share import Left, Request, Share

OPENED_AT = "2026-01-05T00:00:00Z"
NUMBERS = ("orders", "amount", "open", "open_amount")


@dataclass(frozen=True)
class Order:
    """One order as it is placed."""

    customer: str
    id: str
    amount: Decimal


def share(corner: Corner, rng: Random, events: int) -> Share:
    """A fortieth as many orders as readings; half of them are shipped."""
    customers = [corner.id("customer", number) for number in range(4)]
    orders = [
        Order(customers[number % 4], corner.id("order", number), Decimal(rng.randint(1, 10**6)) / 100)
        for number in range(max(12, events // 40))
    ]
    shipped = rng.sample(orders, len(orders) // 2)
    return Share(
        name="orders",
        rounds=[[_place(order) for order in orders], [_ship(order) for order in shipped]],
        checks=[_check(customer, orders, shipped) for customer in customers],
        recounts=[Name("CUSTOMER", (customer,)) for customer in customers],
        left=[Left("orders", len(orders), f"CUSTOMER#{corner.name}…")],
    )


def _place(order: Order) -> Request:
    body = {"order_id": order.id, "opened_at": OPENED_AT, "amount": float(order.amount)}
    return Request("POST", ("customers", order.customer, "orders"), body, times=2)


def _ship(order: Order) -> Request:
    return Request("POST", ("customers", order.customer, "orders", order.id, "ship"), {})


def _check(customer: str, orders: Sequence[Order], shipped: Sequence[Order]) -> Check:
    own = [order for order in orders if order.customer == customer]
    still = [order for order in own if order not in shipped]
    numbers = (len(own), _sum(own), len(still), _sum(still))
    expected: Mapping[str, object] = dict(zip(NUMBERS, numbers, strict=True))
    return Check({Name("CUSTOMER", (customer,)): expected}, partial(_read, customer=customer))


def _sum(orders: Sequence[Order]) -> Decimal:
    return sum((order.amount for order in orders), Decimal(0))


def _read(api: Api, customer: str) -> Facts:
    found = get(api, "customers", customer, "orders")
    return {Name("CUSTOMER", (customer,)): fields(found["summary"], *NUMBERS)} if found and found["summary"] else {}
