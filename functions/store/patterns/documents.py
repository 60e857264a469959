"""Reads of documents: which index, which key condition."""

from functions.store import keys
from functions.store.queries import Between, Query


def document(document_id: str) -> Query:
    """Summary, names of information, metadata, permissions, newest revision; consistent: a revocation holds at once."""
    whole = Between(keys.nodes.NODE_SUMMARY, keys.documents.NEWEST)
    return Query(keys.documents.document(document_id), whole, consistent=True)


def revisions(document_id: str, *, forward: bool = True) -> Query:
    """All revisions of a document, oldest first."""
    return Query(keys.documents.document(document_id), Between(*keys.documents.revisions()), forward=forward)
