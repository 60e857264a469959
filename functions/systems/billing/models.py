"""Requests and responses of the billing routes."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from functions.web.common import Counted, Exact, Listed
from functions.web.fields import Id, Instant, Number, Request, encodable

Note = Annotated[str, Field(max_length=1000), AfterValidator(encodable)]


class InvoiceIn(Request):
    """An invoice's own data; replaces the stored data."""

    customer: Id | None = None
    issued_at: Instant | None = None
    note: Note | None = None


class InvoiceDetails(BaseModel):
    """An invoice's own data; `version` counts its changes from 1."""

    customer: str | None
    issued_at: str | None
    note: str | None
    version: int


class InvoiceOut(BaseModel):
    """An invoice as stored."""

    invoice: str
    details: InvoiceDetails


class InvoicesOut(Listed):
    """One page of the ids of invoices."""

    invoices: list[str]
    cursor: str | None


class InvoiceSummary(BaseModel):
    """How many bills an invoice contains, and the sum of their amounts."""

    bills: int
    amount: Exact


class ContainedBill(BaseModel):
    """A bill of an invoice."""

    bill: str
    amount: Exact


class InvoiceBills(Counted, Listed):
    """One page of an invoice: its details come first, then its summary, then its bills, in descending order of ids.

    `limit` counts the bills. On later pages, details and summary are null; without bills there is no summary.
    """

    invoice: str
    details: InvoiceDetails | None
    summary: InvoiceSummary | None
    bills: list[ContainedBill]
    cursor: str | None


class BillIn(Request):
    """A bill's own data; replaces the stored data."""

    amount: Number
    due_at: Instant | None = None
    note: Note | None = None


class BillDetails(BaseModel):
    """A bill's own data; `version` counts its changes from 1."""

    amount: Exact
    due_at: str | None
    note: str | None
    version: int


class BillOut(BaseModel):
    """A bill as stored."""

    bill: str
    details: BillDetails


class BillSummary(BaseModel):
    """How many invoices contain a bill."""

    invoices: int


class BillWithSummary(BillOut, Counted, Listed):
    """A bill and its numbers."""

    summary: BillSummary


class Contained(ContainedBill):
    """The fact that an invoice contains a bill."""

    invoice: str


class BillInvoices(Listed):
    """One page of the invoices that contain a bill."""

    bill: str
    invoices: list[str]
    cursor: str | None
