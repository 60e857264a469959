"""Reads of documents: which index, which key condition."""

from functions.aggregates import keys as aggregate_keys
from functions.dynamodb.queries import Between, Query
from functions.systems.documents import keys


def document(document_id: str) -> Query:
    """Summary, names of information, metadata, permissions, newest revision; consistent: revocations apply at once."""
    whole = Between(aggregate_keys.SUMMARY, keys.NEWEST)
    return Query(keys.document(document_id), whole, consistent=True)


def revisions(document_id: str, *, forward: bool = True) -> Query:
    """All revisions of a document, oldest first."""
    return Query(keys.document(document_id), Between(*keys.revisions()), forward=forward)
