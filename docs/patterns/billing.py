"""Access patterns of billing."""

from decimal import Decimal

from docs.patterns.example import BOUND, history, store, widened
from docs.patterns.pattern import Read, Write
from edgewise.dynamodb.table import Table
from functions.systems.billing import items as billing_items
from functions.systems.billing.entity import Bill, Billed, Invoice

INVOICE, BILL = "Invoice-92551", "Bill-4224663"

_INVOICE, _BILL = {"invoice": INVOICE}, {"bill": BILL}


def _apart(table: Table) -> None:
    invoice = billing_items.INVOICE.encode(Invoice(INVOICE).replacing(None))
    store(
        table,
        widened(billing_items.ALL_INVOICES, 1),
        invoice,
        billing_items.BILL.encode(Bill(BILL, Decimal(80)).replacing(None)),
    )


def _billed(table: Table) -> None:
    _apart(table)
    store(table, billing_items.BILLED.encode(Billed(INVOICE, BILL, Decimal(80), 1)))


READS = (
    Read(
        "an invoice, its numbers and its bills",
        "GET /invoices/{invoice}",
        _INVOICE,
        {},
        [billing_items.of_invoice(INVOICE)],
        units=0.5,
        given=_billed,
    ),
    Read(
        "a bill and its numbers",
        "GET /bills/{bill}",
        _BILL,
        {},
        [billing_items.of_bill(BILL)],
        units=0.5,
        given=_billed,
    ),
    Read(
        "the invoices that contain a bill",
        "GET /bills/{bill}/invoices",
        _BILL,
        {},
        [billing_items.invoices_of(BILL)],
        units=0.5,
        given=_billed,
    ),
    Read(
        "all invoices, by id",
        "GET /invoices",
        {},
        {},
        [history(billing_items.ALL_INVOICES), *billing_items.invoices(billing_items.ALL_INVOICES.shards(1))],
        units=1.5,
        bound=BOUND,
        given=_billed,
        kept="1 for a new invoice",
    ),
)

WRITES = (
    Write(
        "store a new invoice",
        "PUT /invoices/{invoice}",
        _INVOICE,
        {},
        {"BatchGetItem": 1, "PutItem": 1},
        "2: the invoice and its entry in GSI1; the history of the list is read at most once in 10 s",
    ),
    Write(
        "change an invoice",
        "PUT /invoices/{invoice}",
        _INVOICE,
        {"note": "paid"},
        {"BatchGetItem": 1, "PutItem": 2},
        "2: the first write is refused and returns what is stored; its entry stays as it is",
        given=_apart,
    ),
    Write(
        "change an invoice of an expected version (`If-Match`)",
        "PUT /invoices/{invoice}",
        _INVOICE,
        {"note": "paid"},
        {"BatchGetItem": 1, "GetItem": 1, "PutItem": 1},
        "1, and a read",
        given=_apart,
        headers={"if-match": '"1"'},
    ),
    Write("store a new bill", "PUT /bills/{bill}", _BILL, {"amount": 80}, {"PutItem": 1}, "1"),
    Write(
        "change a bill's amount",
        "PUT /bills/{bill}",
        _BILL,
        {"amount": 90},
        {"PutItem": 3, "Query": 1, "BatchGetItem": 1},
        "2, and 1 per invoice that contains it (the cascade writes those beyond 100)",
        given=_billed,
    ),
    Write(
        "add a bill to an invoice",
        "PUT /invoices/{invoice}/bills/{bill}",
        _INVOICE | _BILL,
        None,
        {"GetItem": 1, "TransactWriteItems": 1},
        "7: 2 each for the relation, the check of the invoice and the check of the bill; 1 for the entry in GSI2",
        given=_apart,
    ),
    Write(
        "remove a bill from an invoice",
        "DELETE /invoices/{invoice}/bills/{bill}",
        _INVOICE | _BILL,
        None,
        {"DeleteItem": 1},
        "2",
        given=_billed,
    ),
)
