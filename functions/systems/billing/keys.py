"""Keys of billing: partition INVOICE#id or BILL#id; its own item repeats that text as sort key (adjacency list)."""

from functions.dynamodb.keys import Key, Partitions, take

BILLS, INVOICES = Partitions("BILL"), Partitions("INVOICE")


def invoice(invoice_id: str) -> Key:
    """An invoice's own item; in descending order it comes first, then the summary, then the bills."""
    return _own(INVOICES, invoice_id)


def bill(bill_id: str) -> Key:
    """A bill's own item; it sorts before the summary."""
    return _own(BILLS, bill_id)


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
