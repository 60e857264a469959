"""How documents are stored: partition DOCUMENT#id holds metadata, permissions, the newest text (v_0), every revision.

The partition also holds information under other names, each as x_name, and one item with these names. Partition
READER#sub holds the edges from a user to the documents that the user may read.
"""

from edgewise import BeginsWith, Between, ItemType, KeyTemplate, Query
from edgewise.dynamodb.queries import Equals
from functions.revisions.versions import MAX_VERSION
from functions.systems.documents.entity import Information, InformationNames, Metadata, Permissions, Revision

# The edge from a user to a document that the user may read.
MAY_READ = KeyTemplate("READER#{user}", "EDGE#MAY_READ#DOCUMENT#{document}")
READERS = MAY_READ.partitions
_DOCUMENT = "DOCUMENT#{document}"

# They sort in this order in the partition, between the summary and the revisions.
NAMES = ItemType(InformationNames, "DOCUMENT_INFORMATION_NAMES", partition=_DOCUMENT, sort="information")
METADATA = ItemType(Metadata, "DOCUMENT_METADATA", partition=_DOCUMENT, sort="metadata")
PERMISSIONS = ItemType(Permissions, "DOCUMENT_PERMISSIONS", partition=_DOCUMENT, sort="permissions")
NEWEST = ItemType(Revision, "DOCUMENT_NEWEST", partition=_DOCUMENT, sort="v_0")
REVISION = ItemType(Revision, "DOCUMENT_REVISION", partition=_DOCUMENT, sort="v_{version:09}")
# Sorts after the revisions, so a read of the document skips it; and no name can collide with another key.
INFORMATION = ItemType(Information, "DOCUMENT_INFORMATION", partition=_DOCUMENT, sort="x_{name}")
DOCUMENTS = METADATA.partitions


def whole(document: str) -> Query:
    """Summary, names of information, metadata, permissions, newest revision; consistent: revocations apply at once."""
    first, last = METADATA.summary(document), NEWEST.key(document)
    return Query(first.pk, Between(first.sk, last.sk), consistent=True)


def permissions(document: str) -> Query:
    """A document's permissions."""
    key = PERMISSIONS.key(document)
    return Query(key.pk, Equals(key.sk))


def information(document: str) -> Query:
    """All information of a document, as it is now."""
    return Query(DOCUMENTS(document), BeginsWith("x_"), consistent=True)


def revisions(document: str, *, forward: bool = True) -> Query:
    """All revisions of a document, oldest first; the copy of the newest sorts before them."""
    first, last = (REVISION.key(document, version).sk for version in (1, MAX_VERSION))
    return Query(DOCUMENTS(document), Between(first, last), forward=forward)


def readable(user: str, beginning: str = "") -> Query:
    """The documents that a user may read, by id: all, or those whose ids begin with a text."""
    return Query(READERS(user), BeginsWith(MAY_READ(user, beginning).sk))
