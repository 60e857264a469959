"""How bills are stored: partition INVOICE#id or BILL#id; its own item repeats that text as sort key (adjacency list).

Partition INVOICES#SHARDS says how many shards the list of all invoices has, in the index by value.
"""

from collections.abc import Sequence

from edgewise import BY_TARGET, BY_VALUE, BeginsWith, Between, Entry, ItemType, Partitions, Query, ShardedList
from edgewise.dynamodb.keys import join
from functions.systems.billing.entity import Bill, Billed, Invoice

ALL_INVOICES = ShardedList(Partitions("INVOICES"), ())

INVOICE = ItemType(
    Invoice,
    "INVOICE_METADATA",
    partition="INVOICE#{id}",
    sort="INVOICE#{id}",
    entries=(Entry(BY_VALUE, ALL_INVOICES, "{id}", why="all invoices by id"),),
)
BILL = ItemType(Bill, "BILL_METADATA", partition="BILL#{id}", sort="BILL#{id}")
BILLED = ItemType(
    Billed,
    "BILLED",
    partition="INVOICE#{invoice}",
    sort="BILL#{bill}",
    entries=(
        Entry(BY_TARGET, "BILL#{bill}", "INVOICE#{invoice}", why="the invoices that have a bill: the key turned round"),
    ),
)


def of_invoice(invoice: str) -> Query:
    """An invoice, its summary, its bills, in this order: descending from its own item to the first relation."""
    own = INVOICE.key(invoice)
    return Query(own.pk, Between(BILL.partitions.prefix, own.sk), forward=False)


def invoices(partitions: Sequence[str], beginning: str | None = None) -> Sequence[Query]:
    """The invoices whose ids begin with a text, or all, by id: one query for each shard of their list."""
    condition = BeginsWith(join(beginning)) if beginning else None
    return [Query(partition, condition, BY_VALUE) for partition in partitions]


def of_bill(bill: str) -> Query:
    """A bill and its summary."""
    own = BILL.key(bill)
    return Query(own.pk, Between(own.sk, BILL.summary(bill).sk))


def invoices_of(bill: str) -> Query:
    """The invoices that contain a bill: the inverted index."""
    return Query(BILL.partitions(bill), BeginsWith(INVOICE.partitions.prefix), BY_TARGET)
