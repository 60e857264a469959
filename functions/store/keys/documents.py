"""Keys of documents: partition DOCUMENT#id holds metadata, permissions, the newest text (v_0) and every revision."""

from collections.abc import Callable, Mapping

from functions.domain.versions import MAX_VERSION
from functions.store.keys.grammar import Key, join, take
from functions.store.keys.nodes import NODE_SUMMARY
from functions.store.keys.versions import number

# In this order they stand in the partition, between the summary and the revisions.
_METADATA, _PERMISSIONS, NEWEST = "metadata", "permissions", "v_0"


def document(document_id: str) -> str:
    """The partition of a document."""
    return join("DOCUMENT", document_id)


def metadata(document_id: str) -> Key:
    """What the document is about."""
    return Key(document(document_id), _METADATA)


def permissions(document_id: str) -> Key:
    """Who may read and write it."""
    return Key(document(document_id), _PERMISSIONS)


def newest(document_id: str) -> Key:
    """The copy of its newest revision."""
    return Key(document(document_id), NEWEST)


def revision(document_id: str, version: int) -> Key:
    """One revision, such as v_000000012."""
    return Key(document(document_id), f"v_{number(version)}")


def revisions() -> tuple[str, str]:
    """The first and last key that a revision can have; the newest one's copy stands before them."""
    return f"v_{number(1)}", f"v_{number(MAX_VERSION)}"


def parse(pk: str) -> str:
    """The document that a partition is of; raises ValueError for another kind of key."""
    return take(pk, "DOCUMENT", 2)[1]


AGGREGATES: Mapping[str, Callable[..., Key]] = {
    "DOCUMENT": lambda document_id: Key(document(document_id), NODE_SUMMARY),
}
