"""Invoices, bills and the relations between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from edgewise import (
    BY_VALUE,
    Cell,
    Check,
    ConcurrentChangeError,
    Condition,
    Delete,
    Item,
    Key,
    NotFoundError,
    Position,
    Put,
    RefusedError,
    Table,
    TransactionRefusedError,
    cells,
    decoded,
)
from edgewise.aggregates import collections
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import n, string
from edgewise.sharding import listing, relief
from functions.preconditions import NONE, Expected
from functions.systems.billing import amounts, items
from functions.systems.billing.entity import INVOICES, Bill, Billed, Invoice
from functions.systems.billing.items import ALL_INVOICES, BILLED, INVOICE
from functions.systems.billing.system import BILL

Entity = TypeVar("Entity", Invoice, Bill)
Numbers = Mapping[str, Cell]

# How often a write is retried because another writer changed the same item.
ATTEMPTS = 8


@dataclass(frozen=True)
class _Stored(Generic[Entity]):
    """How an entity is stored."""

    kind: str
    key: Callable[[str], Key]
    item: Callable[[Entity], Item]
    decode: Callable[[Item], Entity]


_BILLS: _Stored[Bill] = _Stored("bill", items.BILL.key, items.BILL.encode, items.BILL.decode)


def put_invoice(table: Table, invoice: Invoice, expected: Expected | None = None) -> Invoice:
    """Store an invoice; if the list of all invoices was widened since it was stored, it may move to another shard.

    Raises PreconditionFailedError if the stored version is not the expected one, ConcurrentChangeError if other writers
    keep changing it.
    """
    with relief.shard(table, BY_VALUE, ALL_INVOICES, invoice.id) as shard:
        item = partial(INVOICE.encode, shard=shard)
        how: _Stored[Invoice] = _Stored("invoice", INVOICE.key, item, INVOICE.decode)
        return _put(table, invoice, how, expected)[0]


def put_bill(table: Table, bill: Bill, expected: Expected | None = None) -> Bill:
    """Store a bill and copy its amount to its first invoices; the cascade does the rest, or all if this call fails.

    Storing the same bill again copies the amount, too. Whoever changes the amount is charged for what the cascade does.
    Raises the errors of put_invoice.
    """
    stored, changed = _put(table, bill, _BILLS, expected)
    more = amounts.carry_step(table, stored) if stored.version > 1 else None
    if more and changed and stored.amount_version == stored.version:
        _, numbers = bill_with_numbers(table, bill.id)
        invoices = numbers.get(INVOICES, Cell()).count
        table.usage.caused += amounts.COPY * max(0, invoices - amounts.STEP)
    return stored


def _put(table: Table, wanted: Entity, how: _Stored[Entity], expected: Expected | None) -> tuple[Entity, bool]:
    """Returns what is stored, and whether that was changed."""
    # A version that must exist is read first; otherwise the refused write returns it.
    item = table.get(how.key(wanted.id)) if expected and expected != NONE else None
    for _ in range(ATTEMPTS):
        stored = decoded(how.decode, item) if item else None
        after = wanted.replacing(stored)
        if after is stored:
            return after, False
        if expected:
            expected.demand(how.kind, wanted.id, after.version - 1)
        try:
            table.put_version(how.item(after), replaces=after.version - 1)
        except RefusedError as refusal:
            item = refusal.item
        else:
            return after, True
    raise ConcurrentChangeError(how.kind, wanted.id)


def put_billed(table: Table, invoice_id: str, bill_id: str) -> Billed:
    """Add a bill to an invoice; raises NotFoundError that names the missing one, or ConcurrentChangeError."""
    item = table.get(items.BILL.key(bill_id))
    for _ in range(ATTEMPTS):
        if item is None:
            raise NotFoundError("bill", bill_id)
        billed = Billed.of(invoice_id, decoded(items.BILL.decode, item))
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
    """The writes of the relation, on condition that the invoice exists and the bill still has the copied amount."""
    unchanged = Condition(equal={"AmountVersion": n(billed.amount_version)})
    return [
        Put(BILLED.encode(billed)),
        Check(INVOICE.key(billed.invoice), Condition.PRESENT),
        Check(items.BILL.key(billed.bill), unchanged),
    ]


def delete_billed(table: Table, invoice_id: str, bill_id: str) -> None:
    """Remove a bill from an invoice, whether the invoice contained it or not."""
    table.write(Delete(BILLED.key(invoice_id, bill_id)))


def invoices(
    table: Table, beginning: str | None, limit: int, after: Position | None
) -> tuple[list[str], Position | None]:
    """One page of the ids of invoices, all or those with this beginning, in order, and the next position."""
    return listing.page(table, ALL_INVOICES, partial(items.invoices, beginning=beginning), limit, after, _listed)


def _listed(entry: Item) -> str:
    (invoice,) = INVOICE.partition.values(string(entry["PK"]))
    return invoice


@dataclass(frozen=True)
class InvoicePage:
    """A page of an invoice's bills; the first page also has its own data and its numbers."""

    invoice: Invoice | None
    numbers: Numbers | None
    bills: Sequence[Billed]
    next: Position | None


def invoice_page(table: Table, invoice_id: str, limit: int, after: Position | None) -> InvoicePage:
    """One page of an invoice's bills, after the invoice and its numbers, in one query."""
    query = items.of_invoice(invoice_id)
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
            return INVOICE.decode(item)
        case "INVOICE":
            return cells(item)
        case _:
            return BILLED.decode(item)


def _is_billed(part: Invoice | Numbers | Billed) -> bool:
    return isinstance(part, Billed)


def bill_with_numbers(table: Table, bill_id: str) -> tuple[Bill | None, Numbers]:
    """A bill and its numbers, in one query."""
    members, bills = collections.whole(table, (BILL,), items.of_bill(bill_id), items.BILL.decode)
    numbers = next((member.cells for member in members), {})
    return next(iter(bills), None), numbers
