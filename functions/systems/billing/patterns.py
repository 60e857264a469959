"""Reads of billing: which index, which key condition."""

from collections.abc import Sequence

from functions.aggregates import keys as aggregate_keys
from functions.dynamodb.queries import BeginsWith, Between, Query
from functions.dynamodb.schema import BY_TARGET, BY_VALUE
from functions.systems.billing import keys


def invoice(invoice_id: str) -> Query:
    """An invoice, its summary, its bills, in this order: descending from its own item to the first relation."""
    own = keys.invoice(invoice_id)
    return Query(own.pk, Between(keys.BILLS.prefix, own.sk), forward=False)


def invoices(partitions: Sequence[str], beginning: str | None = None) -> Sequence[Query]:
    """The invoices whose ids begin with a text, or all, by id: one query for each shard of their list."""
    condition = BeginsWith(keys.listed(beginning)) if beginning else None
    return [Query(partition, condition, BY_VALUE) for partition in partitions]


def bill(bill_id: str) -> Query:
    """A bill and its summary."""
    own = keys.bill(bill_id)
    return Query(own.pk, Between(own.sk, aggregate_keys.SUMMARY))


def invoices_of(bill_id: str) -> Query:
    """The invoices that contain a bill: the inverted index."""
    return Query(keys.bill(bill_id).pk, BeginsWith(keys.INVOICES.prefix), BY_TARGET)
