"""Billing: invoices, bills, and which invoices contain which bills."""

from datetime import datetime

from aws_lambda_powertools.event_handler import Response

from edgewise import Cell, Millis, NotFoundError, millis, rfc_3339
from edgewise.aggregates import collections
from functions.systems.billing import items, store
from functions.systems.billing.entity import INVOICES, Bill, Invoice
from functions.systems.billing.models import (
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
    InvoicesOut,
    InvoiceSummary,
)
from functions.systems.billing.system import BILL, INVOICE, SYSTEM
from functions.web import answers, http, runtime
from functions.web.conditions import IfAbsent, IfMatch, expected
from functions.web.fields import PathId
from functions.web.paging import DEFAULT_LIMIT, Beginning, CursorText, Limit, Paging, items_page

app = http.resolver(SYSTEM)


@http.route(
    app,
    "PUT /invoices/{invoice}",
    "Store an invoice",
    responses=answers.described(InvoiceOut) | answers.CONFLICT | answers.PRECONDITION_FAILED,
    group="write",
)
def put_invoice(
    invoice: PathId, body: InvoiceIn, if_match: IfMatch = None, if_absent: IfAbsent = None
) -> Response[str]:
    """One write if the invoice is new, two if it replaces another one (with If-Match: a read and a write).

    The conditions apply to `details.version`. If the same data is already stored, no condition fails.
    """
    wanted = Invoice(invoice, body.customer, _millis(body.issued_at), body.note)
    stored = store.put_invoice(runtime.table(), wanted, expected(if_match, if_absent))
    return answers.reply(InvoiceOut(invoice=invoice, details=_invoice(stored)))


@http.route(
    app,
    "PUT /bills/{bill}",
    "Store a bill; the sums of its invoices follow its amount",
    responses=answers.described(BillOut) | answers.CONFLICT | answers.PRECONDITION_FAILED,
    group="write",
)
def put_bill(bill: PathId, body: BillIn, if_match: IfMatch = None, if_absent: IfAbsent = None) -> Response[str]:
    """Same as for invoices. The request copies a new amount to the first 100 invoices, the cascade to all others."""
    wanted = Bill(bill, body.amount, _millis(body.due_at), body.note)
    stored = store.put_bill(runtime.table(), wanted, expected(if_match, if_absent))
    return answers.reply(BillOut(bill=bill, details=_bill(stored)))


@http.route(
    app,
    "PUT /invoices/{invoice}/bills/{bill}",
    "Add a bill to an invoice",
    responses=answers.described(Contained) | answers.NOT_FOUND | answers.CONFLICT,
    group="write",
)
def put_contained(invoice: PathId, bill: PathId) -> Response[str]:
    """One transaction, refused unless both exist; it copies the bill's current amount."""
    stored = store.put_billed(runtime.table(), invoice, bill)
    return answers.reply(Contained(invoice=invoice, bill=bill, amount=stored.amount))


@http.route(
    app,
    "DELETE /invoices/{invoice}/bills/{bill}",
    "Remove a bill from an invoice",
    responses=answers.removal(),
    status_code=204,
    group="write",
)
def delete_contained(invoice: PathId, bill: PathId) -> Response[str]:
    """The invoice and the bill stay; removing the bill again changes nothing."""
    store.delete_billed(runtime.table(), invoice, bill)
    return answers.no_content()


@http.route(app, "GET /invoices", "All invoices, by id", responses=answers.described(InvoicesOut))
def get_invoices(
    begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of the index by value, or one per shard, merged."""
    paging = Paging({"route": "invoices", "begins_with": begins_with}, cursor)
    found, position = store.invoices(runtime.table(), begins_with, limit, paging.after)
    return answers.reply(InvoicesOut(invoices=found, cursor=paging.next(position)))


@http.route(
    app,
    "GET /invoices/{invoice}",
    "An invoice, its numbers and its bills",
    responses=answers.described(InvoiceBills) | answers.NOT_FOUND,
    shows=(INVOICE,),
)
def get_invoice(invoice: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query in descending order: the invoice, its summary, its relations."""
    paging = Paging({"route": "invoice", "invoice": invoice}, cursor)
    page = store.invoice_page(runtime.table(), invoice, limit, paging.after)
    if page.invoice is None and cursor is None:
        raise NotFoundError("invoice", invoice)
    return answers.reply(
        InvoiceBills(
            invoice=invoice,
            details=None if page.invoice is None else _invoice(page.invoice),
            summary=None if page.numbers is None else _invoice_summary(page.numbers.get("Bills", Cell())),
            bills=[ContainedBill(bill=each.bill, amount=each.amount) for each in page.bills],
            cursor=paging.next(page.next),
        )
    )


@http.route(
    app,
    "GET /bills/{bill}",
    "A bill and its numbers",
    responses=answers.described(BillWithSummary) | answers.NOT_FOUND,
    shows=(BILL,),
)
def get_bill(bill: PathId) -> Response[str]:
    """One query: the bill and its summary."""
    found, numbers = store.bill_with_numbers(runtime.table(), bill)
    if found is None:
        raise NotFoundError("bill", bill)
    summary = BillSummary(invoices=numbers.get(INVOICES, Cell()).count)
    return answers.reply(BillWithSummary(bill=bill, details=_bill(found), summary=summary))


@http.route(
    app, "GET /bills/{bill}/invoices", "The invoices that contain a bill", responses=answers.described(BillInvoices)
)
def get_bill_invoices(bill: PathId, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the inverted index: the relations that point at the bill."""
    found, next_cursor = items_page(items.invoices_of(bill), limit, cursor, collections.source)
    return answers.reply(BillInvoices(bill=bill, invoices=found, cursor=next_cursor))


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
