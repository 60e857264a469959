"""Requests and responses of the order routes."""

from typing import Annotated

from pydantic import BaseModel, Field

from functions.systems.orders.entity import AHEAD
from functions.web.common import Counted, Exact, Listed
from functions.web.fields import Ahead, Id, Instant, Number, Request


class OrderContent(BaseModel):
    """What customers say of an order: fields of the same names as those of the entity."""

    amount: Annotated[Number, Field(ge=0, json_schema_extra={"minimum": 0})]


class OrderIn(OrderContent, Request):
    """A new order; the server assigns a missing id, and the current instant if `opened_at` is missing."""

    order_id: Id | None = None
    opened_at: Annotated[Instant, Ahead(AHEAD)] | None = None


class OrderOut(OrderContent):
    """One order; open as long as `shipped_at` is null."""

    customer: str
    order_id: str
    opened_at: str
    shipped_at: str | None


class OrdersOut(Listed):
    """One page of open orders."""

    orders: list[OrderOut]
    cursor: str | None


class CustomersOut(Listed):
    """One page of the ids of customers."""

    customers: list[str]
    cursor: str | None


class CustomerSummary(BaseModel):
    """A customer's orders, all and open: how many, and the sums of their amounts."""

    orders: int
    amount: Exact
    open: int
    open_amount: Exact


class CustomerOrders(OrdersOut, Counted):
    """One page of a customer's orders; only the first page of the orders by id has the summary."""

    customer: str
    summary: CustomerSummary | None
