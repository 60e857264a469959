"""Orders: placed, shipped, listed."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query

from edgewise import Cell, clock, millis, rfc_3339
from functions.errors import AlreadyExistsError
from functions.systems.orders import store
from functions.systems.orders.entity import OPEN, ORDERS, Order
from functions.systems.orders.items import BY_DATE, CUSTOMERS, OPEN_OF_CUSTOMER, ORDER
from functions.systems.orders.models import (
    CustomerOrders,
    CustomersOut,
    CustomerSummary,
    OrderContent,
    OrderIn,
    OrderOut,
    OrdersOut,
)
from functions.systems.orders.system import CUSTOMER, SYSTEM
from functions.web import answers, http, once, runtime
from functions.web.common import fields_of
from functions.web.fields import PathId
from functions.web.paging import (
    DEFAULT_LIMIT,
    Beginning,
    CursorText,
    Limit,
    Paging,
    collection_page,
    directory_page,
    items_page,
)
from functions.web.ranges import From, To, bounds

app = http.resolver(SYSTEM)


@http.route(
    app,
    "POST /customers/{customer}/orders",
    "Place an order; with an order_id or an Idempotency-Key, repeating it changes nothing",
    responses=answers.stored(OrderOut) | answers.CONFLICT,
    status_code=HTTPStatus.CREATED,
    group="write",
)
def post_order(customer: PathId, body: OrderIn, key: once.Key = None) -> Response[str]:
    """One conditional write. A different order with the same id is a conflict; the same order is returned."""
    opened_at = clock.now() if body.opened_at is None else millis(body.opened_at)
    order_id = body.order_id or (once.name(http.caller(app), key) if key else secrets.token_hex(8))
    placed = Order(customer, order_id, opened_at, **fields_of(OrderContent, body))
    stored = store.create(runtime.table(), placed)
    if stored is placed:
        return answers.reply(_order(placed), HTTPStatus.CREATED)
    # A field that the server chose the first time is ignored in the comparison.
    again = placed if body.opened_at else replace(placed, opened_at=stored.opened_at)
    if not again.placed_as(stored):
        raise AlreadyExistsError("order", placed.id)
    return answers.reply(_order(stored))


@http.route(
    app,
    "POST /customers/{customer}/orders/{order}/ship",
    "Ship an order; it is no longer open",
    responses=answers.described(OrderOut) | answers.NOT_FOUND,
    group="write",
)
def post_shipment(customer: PathId, order: PathId) -> Response[str]:
    """One read, one conditional write, which removes the order's index keys."""
    return answers.reply(_order(store.ship(runtime.table(), customer, order, clock.now())))


@http.route(app, "GET /customers", "All customers that have orders, by id", responses=answers.described(CustomersOut))
def get_customers(
    begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of the index by value."""
    found, next_cursor = directory_page(CUSTOMERS, begins_with, limit, cursor)
    return answers.reply(CustomersOut(customers=found, cursor=next_cursor))


@http.route(
    app,
    "GET /customers/{customer}/orders",
    "A customer's numbers and orders by id; with from, to, order or status: orders by opening time",
    responses=answers.described(CustomerOrders),
    shows=(CUSTOMER,),
)
def get_customer_orders(
    customer: PathId,
    status: Annotated[Literal["open"] | None, Query(description="open orders only")] = None,
    start: From = None,
    end: To = None,
    order: Annotated[Literal["asc", "desc"] | None, Query(description="oldest (asc) or newest first")] = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query in each case; open orders have their own index, so shipped orders cost nothing."""
    first, last = bounds(start, end)
    if status or start or end or order:
        by_date = OPEN_OF_CUSTOMER if status else BY_DATE
        query = by_date.query(customer, start=first, end=last, forward=order != "desc")
        found, next_cursor = items_page(query, limit, cursor, ORDER.decode)
        return answers.reply(CustomerOrders(customer=customer, summary=None, orders=_orders(found), cursor=next_cursor))
    page = collection_page((CUSTOMER,), ORDER.with_summary(customer), limit, cursor, ORDER.decode)
    summary = _summary(page.summary.cells) if page.summary else None
    return answers.reply(
        CustomerOrders(customer=customer, summary=summary, orders=_orders(page.items), cursor=page.cursor)
    )


@http.route(
    app, "GET /orders/open", "The open orders of all customers, by opening time", responses=answers.described(OrdersOut)
)
def get_open_orders(
    start: From = None,
    end: To = None,
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One query per shard of the index, in parallel, merged in order."""
    first, last = bounds(start, end)
    paging = Paging({"route": "open orders", "from": first, "to": last}, cursor)
    found, position = store.open_between(runtime.table(), first, last, limit, paging.after)
    return answers.reply(OrdersOut(orders=_orders(found), cursor=paging.next(position)))


handler = http.handler(app)


def _orders(found: Sequence[Order]) -> list[OrderOut]:
    return [_order(order) for order in found]


def _order(order: Order) -> OrderOut:
    return OrderOut(
        customer=order.customer,
        order_id=order.id,
        opened_at=rfc_3339(order.opened_at),
        shipped_at=None if order.shipped_at is None else rfc_3339(order.shipped_at),
        **fields_of(OrderContent, order),
    )


def _summary(numbers: Mapping[str, Cell]) -> CustomerSummary:
    every, still_open = (numbers.get(name, Cell()) for name in (ORDERS, OPEN))
    return CustomerSummary(orders=every.count, amount=every.total, open=still_open.count, open_amount=still_open.total)
