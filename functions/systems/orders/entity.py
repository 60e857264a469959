"""Orders of customers, open until they ship, and their aggregates."""

from dataclasses import dataclass, replace
from decimal import Decimal

from edgewise import Fed, Millis, Observation
from edgewise.dynamodb.keys import digest

ORDERS, OPEN = "Orders", "Open"
# How far an order may be ahead of the server's clock.
AHEAD = 0


@dataclass(frozen=True, slots=True)
class Order:
    """One order of a customer; it is open if `shipped_at` is None."""

    customer: str
    id: str
    opened_at: Millis
    amount: Decimal
    shipped_at: Millis | None = None

    @property
    def digest(self) -> str:
        """What tells it from the orders of all customers that were opened at the same instant."""
        return digest(self.customer, self.id)

    def is_open(self) -> bool:
        """Whether it has not been shipped."""
        return self.shipped_at is None

    def shipped(self, at: Millis) -> "Order":
        """The same order, shipped at that instant."""
        return replace(self, shipped_at=at)

    def placed_as(self, other: "Order") -> bool:
        """Whether both orders were placed with the same content, shipped or not."""
        return replace(self, shipped_at=None) == replace(other, shipped_at=None)


def of_customer(order: Order) -> Fed:
    """An order feeds its customer."""
    seen = Observation(amount=order.amount)
    yield (order.customer,), {ORDERS: seen} | ({OPEN: seen} if order.is_open() else {})
