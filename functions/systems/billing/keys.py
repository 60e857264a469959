"""Keys of billing: partition INVOICE#id or BILL#id; its own item repeats that text as sort key (adjacency list).

Partition INVOICES#SHARDS says how many shards the list of all invoices has, in the index by value.
"""

from functions.dynamodb.keys import Key, Partitions, escape, take
from functions.sharding.lists import ShardedList

BILLS, INVOICES = Partitions("BILL"), Partitions("INVOICE")
# In the index by value.
INVOICE_LIST = Partitions("INVOICES")
ALL_INVOICES = ShardedList(INVOICE_LIST, ())


def invoice(invoice_id: str) -> Key:
    """An invoice's own item; in descending order it comes first, then the summary, then the bills."""
    return _own(INVOICES, invoice_id)


def bill(bill_id: str) -> Key:
    """A bill's own item; it sorts before the summary."""
    return _own(BILLS, bill_id)


def listed(beginning: str) -> str:
    """The sort key of an invoice among all invoices, or what those of ids with this beginning begin with."""
    return escape(beginning)


def billed(invoice_id: str, bill_id: str) -> Key:
    """The relation in the invoice's collection: its sort key is the target's id."""
    return Key(invoice(invoice_id).pk, bill(bill_id).sk)


def parse_invoice(pk: str) -> str:
    """The id of an invoice; raises ValueError for another kind of key."""
    return take(pk, "INVOICE", 2)[1]


def parse_bill(key: str) -> str:
    """The id of a bill; raises ValueError for another kind of key."""
    return take(key, "BILL", 2)[1]


def _own(kind: Partitions, entity_id: str) -> Key:
    return Key(kind(entity_id), kind(entity_id))
