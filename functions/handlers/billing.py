"""Billing: invoices, bills, and which contain which."""

from datetime import datetime
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path

from functions.domain.billing import Bill, Invoice
from functions.domain.errors import NotFoundError
from functions.domain.measures import Cell
from functions.domain.times import Millis, millis, rfc_3339
from functions.handlers import http, runtime
from functions.handlers.models.billing import (
    BillDetails,
    BillIn,
    BillInvoices,
    BillOut,
    BillSummary,
    BillWithSummary,
    Contained,
    ContainedBill,
    InvoiceBills,
    InvoiceDetails,
    InvoiceIn,
    InvoiceOut,
    InvoiceSummary,
)
from functions.handlers.models.fields import PathId
from functions.handlers.paging import DEFAULT_LIMIT, CursorText, Limit, Paging
from functions.store import billing, nodes, patterns

app = http.resolver()


@app.put(
    "/invoices/<invoice>",
    summary="Store an invoice",
    responses=http.described(InvoiceOut) | http.CONFLICT,
    tags=["billing"],
)
def put_invoice(invoice: Annotated[PathId, Path()], body: InvoiceIn) -> Response[str]:
    """One write if it is new, one more if it replaces another one, none if it is stored like this already."""
    wanted = Invoice(invoice, body.customer, _millis(body.issued_at), body.note)
    stored = billing.put_invoice(runtime.table(), wanted)
    return http.reply(InvoiceOut(invoice=invoice, details=_invoice(stored)))


@app.put(
    "/bills/<bill>",
    summary="Store a bill; the sums of its invoices follow its amount",
    responses=http.described(BillOut) | http.CONFLICT,
    tags=["billing"],
)
def put_bill(bill: Annotated[PathId, Path()], body: BillIn) -> Response[str]:
    """As with invoices; a new amount is carried to the first 100 invoices at once, to all others by the stream."""
    wanted = Bill(bill, body.amount, _millis(body.due_at), body.note)
    stored = billing.put_bill(runtime.table(), wanted)
    return http.reply(BillOut(bill=bill, details=_bill(stored)))


@app.put(
    "/invoices/<invoice>/bills/<bill>",
    summary="Let an invoice contain a bill",
    responses=http.described(Contained) | http.NOT_FOUND | http.CONFLICT,
    tags=["billing"],
)
def put_contained(invoice: Annotated[PathId, Path()], bill: Annotated[PathId, Path()]) -> Response[str]:
    """One transaction, refused unless both exist; with the bill's amount as it is at that moment."""
    stored = billing.put_billed(runtime.table(), invoice, bill)
    return http.reply(Contained(invoice=invoice, bill=bill, amount=stored.amount))


@app.delete(
    "/invoices/<invoice>/bills/<bill>",
    summary="Take a bill out of an invoice",
    status_code=204,
    responses=http.removal(),
    tags=["billing"],
)
def delete_contained(invoice: Annotated[PathId, Path()], bill: Annotated[PathId, Path()]) -> Response[str]:
    """Both stay; taking it out again changes nothing."""
    billing.delete_billed(runtime.table(), invoice, bill)
    return http.no_content()


@app.get(
    "/invoices/<invoice>",
    summary="An invoice, its numbers and its bills",
    responses=http.described(InvoiceBills) | http.NOT_FOUND,
    tags=["billing"],
)
def get_invoice(
    invoice: Annotated[PathId, Path()], limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query, backwards: the invoice, its summary, its relations."""
    paging = Paging({"route": "invoice", "invoice": invoice}, cursor)
    page = billing.invoice_page(runtime.table(), invoice, limit, paging.after)
    if page.invoice is None and cursor is None:
        raise NotFoundError("invoice", invoice)
    return http.reply(
        InvoiceBills(
            invoice=invoice,
            details=None if page.invoice is None else _invoice(page.invoice),
            summary=None if page.numbers is None else _invoice_summary(page.numbers.get("Bills", Cell())),
            bills=[ContainedBill(bill=each.bill, amount=each.amount) for each in page.bills],
            cursor=paging.next(page.next),
        )
    )


@app.get(
    "/bills/<bill>",
    summary="A bill and its numbers",
    responses=http.described(BillWithSummary) | http.NOT_FOUND,
    tags=["billing"],
)
def get_bill(bill: Annotated[PathId, Path()]) -> Response[str]:
    """One query: the bill and its summary."""
    found, numbers = billing.bill_with_numbers(runtime.table(), bill)
    if found is None:
        raise NotFoundError("bill", bill)
    summary = BillSummary(invoices=numbers.get("Invoices", Cell()).count)
    return http.reply(BillWithSummary(bill=bill, details=_bill(found), summary=summary))


@app.get(
    "/bills/<bill>/invoices",
    summary="The invoices that contain a bill",
    responses=http.described(BillInvoices),
    tags=["billing"],
)
def get_bill_invoices(
    bill: Annotated[PathId, Path()], limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of the inverted index: the relations that point at the bill."""
    paging = Paging({"route": "bill invoices", "bill": bill}, cursor)
    found, position = nodes.sources(runtime.table(), patterns.billing.invoices_of(bill), limit, paging.after)
    return http.reply(BillInvoices(bill=bill, invoices=found, cursor=paging.next(position)))


handler = http.handler(app)


def _millis(instant: datetime | None) -> Millis | None:
    return None if instant is None else millis(instant)


def _text(instant: Millis | None) -> str | None:
    return None if instant is None else rfc_3339(instant)


def _invoice(stored: Invoice) -> InvoiceDetails:
    return InvoiceDetails(
        customer=stored.customer, issued_at=_text(stored.issued_at), note=stored.note, version=stored.version
    )


def _invoice_summary(bills: Cell) -> InvoiceSummary:
    return InvoiceSummary(bills=bills.count, amount=bills.total)


def _bill(stored: Bill) -> BillDetails:
    return BillDetails(amount=stored.amount, due_at=_text(stored.due_at), note=stored.note, version=stored.version)
