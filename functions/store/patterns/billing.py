"""Reads of billing: which index, which key condition."""

from functions.store import keys
from functions.store.queries import BeginsWith, Between, Query
from functions.store.schema import BY_TARGET


def invoice(invoice_id: str) -> Query:
    """An invoice, its summary, its bills, in this order: backwards from its own item to the first relation."""
    own = keys.billing.invoice(invoice_id)
    return Query(own.pk, Between(keys.billing.BILLS, own.sk), forward=False)


def bill(bill_id: str) -> Query:
    """A bill and its summary."""
    own = keys.billing.bill(bill_id)
    return Query(own.pk, Between(own.sk, keys.nodes.NODE_SUMMARY))


def invoices_of(bill_id: str) -> Query:
    """The invoices that contain a bill: the inverted index."""
    return Query(keys.billing.bill(bill_id).pk, BeginsWith(keys.billing.INVOICES), BY_TARGET)
