"""Keys of documents: partition DOCUMENT#id holds metadata, permissions, the newest text (v_0) and every revision.

The partition also holds information under other names, each as x_name, and one item with these names. Partition
READER#sub holds the edges from a user to the documents that the user may read.
"""

from functions.aggregates.keys import edge_target, entity_name
from functions.dynamodb.keys import Key, Partitions, escape, join, prefix, split, take
from functions.revisions.keys import number
from functions.revisions.versions import MAX_VERSION

DOCUMENTS, READERS = Partitions("DOCUMENT"), Partitions("READER")
# They sort in this order in the partition, between the summary and the revisions.
_NAMES, _METADATA, _PERMISSIONS, NEWEST = "information", "metadata", "permissions", "v_0"
# Sorts after the revisions, so a read of the document skips it; and no name can collide with another key.
_INFORMATION = "x_"
_MAY_READ = prefix("EDGE", "MAY_READ", "DOCUMENT")


def document(document_id: str) -> str:
    """The partition of a document."""
    return DOCUMENTS(document_id)


def metadata(document_id: str) -> Key:
    """The document's metadata."""
    return Key(document(document_id), _METADATA)


def permissions(document_id: str) -> Key:
    """The document's permissions."""
    return Key(document(document_id), _PERMISSIONS)


def information_names(document_id: str) -> Key:
    """The names of the document's other information."""
    return Key(document(document_id), _NAMES)


def information(document_id: str, name: str) -> Key:
    """Information under another name, such as x_storage."""
    return Key(document(document_id), join(f"{_INFORMATION}{name}"))


def all_information() -> str:
    """The prefix of the keys of all information."""
    return _INFORMATION


def parse_information(sk: str) -> str:
    """The name of information; raises ValueError for another kind of key."""
    (text,) = split(sk)
    if not text.startswith(_INFORMATION):
        raise ValueError(f"not a key of information: {sk!r}")
    return text.removeprefix(_INFORMATION)


def newest(document_id: str) -> Key:
    """The copy of its newest revision."""
    return Key(document(document_id), NEWEST)


def revision(document_id: str, version: int) -> Key:
    """One revision, such as v_000000012."""
    return Key(document(document_id), f"v_{number(version)}")


def revisions() -> tuple[str, str]:
    """The first and last key that a revision can have; the copy of the newest revision sorts before them."""
    return f"v_{number(1)}", f"v_{number(MAX_VERSION)}"


def reader(user: str) -> str:
    """The partition of the documents that a user may read."""
    return READERS(user)


def may_read(user: str, document_id: str) -> Key:
    """The edge from a user to a document that the user may read."""
    return Key(reader(user), f"{_MAY_READ}{escape(document_id)}")


def readable(beginning: str) -> str:
    """What the sort keys of a user's edges to documents begin with, if the documents' ids have this beginning."""
    return f"{_MAY_READ}{escape(beginning)}"


def parse_may_read(pk: str, sk: str) -> tuple[str, str]:
    """User and document of an edge; raises ValueError for another kind of key."""
    (document_id,) = edge_target(sk)
    return entity_name(pk), document_id


def parse(pk: str) -> str:
    """The document of a partition; raises ValueError for another kind of key."""
    return take(pk, "DOCUMENT", 2)[1]
