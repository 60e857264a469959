"""Reads of documents: which index, which key condition."""

from functions.aggregates import keys as aggregate_keys
from functions.dynamodb.queries import BeginsWith, Between, Equals, Query
from functions.systems.documents import keys


def document(document_id: str) -> Query:
    """Summary, names of information, metadata, permissions, newest revision; consistent: revocations apply at once."""
    whole = Between(aggregate_keys.SUMMARY, keys.NEWEST)
    return Query(keys.document(document_id), whole, consistent=True)


def permissions(document_id: str) -> Query:
    """A document's permissions."""
    key = keys.permissions(document_id)
    return Query(key.pk, Equals(key.sk))


def readable(user: str, beginning: str = "") -> Query:
    """The documents that a user may read, by id: all, or those whose ids begin with a text."""
    return Query(keys.reader(user), BeginsWith(keys.readable(beginning)))


def information(document_id: str) -> Query:
    """All information of a document, as it is now."""
    return Query(keys.document(document_id), BeginsWith(keys.all_information()), consistent=True)


def revisions(document_id: str, *, forward: bool = True) -> Query:
    """All revisions of a document, oldest first."""
    return Query(keys.document(document_id), Between(*keys.revisions()), forward=forward)
