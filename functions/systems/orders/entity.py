"""Orders of customers: open until they ship, and what is counted of them."""

from dataclasses import dataclass, replace
from decimal import Decimal

from functions.aggregates.measures import Fed, Observation
from functions.times import Millis

ORDERS, OPEN = "Orders", "Open"


@dataclass(frozen=True, slots=True)
class Order:
    """One order of a customer; `shipped_at` None says that it is open."""

    customer: str
    id: str
    opened_at: Millis
    amount: Decimal
    shipped_at: Millis | None = None

    def shipped(self, at: Millis) -> "Order":
        """The same order, shipped at that instant."""
        return replace(self, shipped_at=at)

    def placed_as(self, other: "Order") -> bool:
        """Whether both were the same when they were placed: shipping does not count."""
        return replace(self, shipped_at=None) == replace(other, shipped_at=None)


def of_customer(order: Order) -> Fed:
    """An order feeds its customer."""
    seen = Observation(amount=order.amount)
    yield (order.customer,), {ORDERS: seen} | ({OPEN: seen} if order.shipped_at is None else {})
