"""Invoices, bills and the relations between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from functions.domain.aggregates import AggregateId
from functions.domain.billing import Bill, Billed, Invoice
from functions.domain.errors import ConcurrentChangeError, NotFoundError
from functions.domain.measures import Cell
from functions.store import amounts, codec, keys, nodes, pages, patterns
from functions.store.aggregate_items import cells
from functions.store.attributes import Item, n, string
from functions.store.decoding import decoded
from functions.store.queries import Position
from functions.store.table import RefusedError, Table, TransactionRefusedError
from functions.store.writes import PRESENT, Check, Condition, Delete, Put

Entity = TypeVar("Entity", Invoice, Bill)
Numbers = Mapping[str, Cell]

# How often a write is tried again because somebody else changed the same thing meanwhile.
ATTEMPTS = 8


def put_invoice(table: Table, invoice: Invoice) -> Invoice:
    """Store an invoice; raises ConcurrentChangeError if others never stop changing it."""
    return _put(table, invoice, codec.billing.invoice_item, codec.billing.invoice)


def put_bill(table: Table, bill: Bill) -> Bill:
    """Store a bill and carry its amount to its first invoices; the cascade does the rest, or all if this dies.

    Storing the same again carries it too. Raises ConcurrentChangeError if others never stop changing the bill.
    """
    stored = _put(table, bill, codec.billing.bill_item, codec.billing.bill)
    if stored.version > 1:
        amounts.carry_step(table, stored)
    return stored


def _put(table: Table, wanted: Entity, item_of: Callable[[Entity], Item], decode: Callable[[Item], Entity]) -> Entity:
    stored: Entity | None = None
    for _ in range(ATTEMPTS):
        after = wanted.replacing(stored)
        if after is stored:
            return after
        try:
            table.put_version(item_of(after), replaces=after.version - 1)
        except RefusedError as refusal:
            stored = decoded(decode, refusal.item) if refusal.item else None
        else:
            return after
    raise ConcurrentChangeError(type(wanted).__name__.lower(), wanted.id)


def put_billed(table: Table, invoice_id: str, bill_id: str) -> Billed:
    """Let an invoice contain a bill; raises NotFoundError that names what is missing, or ConcurrentChangeError."""
    item = table.get(keys.billing.bill(bill_id))
    for _ in range(ATTEMPTS):
        if item is None:
            raise NotFoundError("bill", bill_id)
        billed = Billed.of(invoice_id, decoded(codec.billing.bill, item))
        try:
            table.transact(_relating(billed))
        except TransactionRefusedError as refusal:
            if _INVOICE in refusal.found:
                raise NotFoundError("invoice", invoice_id) from refusal
            item = refusal.found[_BILL]
        else:
            return billed
    raise ConcurrentChangeError("bill", bill_id)


# Positions in the transaction below.
_INVOICE, _BILL = 1, 2


def _relating(billed: Billed) -> Sequence[Put | Check]:
    """The relation, provided that the invoice is there and the bill still has the amount copied."""
    unchanged = Condition(equal={"AmountVersion": n(billed.amount_version)})
    return [
        Put(codec.billing.billed_item(billed)),
        Check(keys.billing.invoice(billed.invoice), PRESENT),
        Check(keys.billing.bill(billed.bill), unchanged),
    ]


def delete_billed(table: Table, invoice_id: str, bill_id: str) -> None:
    """Take a bill out of an invoice, whether it was in or not."""
    table.write(Delete(keys.billing.billed(invoice_id, bill_id)))


@dataclass(frozen=True)
class InvoicePage:
    """A page of an invoice's bills; its own data and its numbers stand before the first of them."""

    invoice: Invoice | None
    numbers: Numbers | None
    bills: Sequence[Billed]
    next: Position | None


def invoice_page(table: Table, invoice_id: str, limit: int, after: Position | None) -> InvoicePage:
    """One page of an invoice's bills, behind the invoice and its numbers, in one query."""
    query = patterns.billing.invoice(invoice_id)
    parts, position = pages.listed(table, query, limit, after, _invoice_part, _is_billed, beside=2)
    return InvoicePage(
        next((part for part in parts if isinstance(part, Invoice)), None),
        next((part for part in parts if isinstance(part, Mapping)), None),
        [part for part in parts if isinstance(part, Billed)],
        position,
    )


def _invoice_part(item: Item) -> Invoice | Numbers | Billed:
    match string(item["Type"]):
        case "INVOICE_METADATA":
            return codec.billing.invoice(item)
        case "INVOICE":
            return cells(AggregateId("INVOICE", ()), item)
        case _:
            return codec.billing.billed(item)


def _is_billed(part: Invoice | Numbers | Billed) -> bool:
    return isinstance(part, Billed)


def bill_with_numbers(table: Table, bill_id: str) -> tuple[Bill | None, Numbers]:
    """A bill and its numbers, in one query."""
    members, bills = nodes.whole(table, patterns.billing.bill(bill_id), codec.billing.bill)
    numbers = next((member.cells for member in members), {})
    return next(iter(bills), None), numbers
