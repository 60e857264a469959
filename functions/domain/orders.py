"""Orders of customers: open until they ship, and what is counted of them."""

from dataclasses import dataclass, replace
from decimal import Decimal

from functions.domain.declarations import Declaration, Fed, Feed
from functions.domain.measures import Observation
from functions.domain.times import Millis

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


def _customer(order: Order) -> Fed:
    seen = Observation(amount=order.amount)
    yield (order.customer,), {ORDERS: seen} | ({OPEN: seen} if order.shipped_at is None else {})


DECLARATIONS = (
    Declaration("CUSTOMER", 3, "orders, open orders; the sums of their amounts", (Feed("ORDER", _customer),)),
)
