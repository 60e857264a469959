"""Documents: metadata, permissions, information under any name, and every revision of the text."""

from edgewise import Feed, Kind, Unbounded
from functions.revisions import newest
from functions.revisions.keys import ONCE
from functions.search.withdrawals import WITHDRAWN
from functions.system import Rights, System
from functions.systems.documents import items, names, words
from functions.systems.documents.entity import of_document, of_may_read
from functions.systems.documents.items import DOCUMENTS, INFORMATION, METADATA, NAMES, NEWEST, PERMISSIONS, REVISION

MAY_READ = Kind(
    name="MAY_READ",
    rank=1,
    cells="a user's right to a document",
    feeds=(Feed(PERMISSIONS.source(), of_may_read),),
    key=items.MAY_READ,
    sources=lambda reader, _, document: reader.read(items.permissions(document)),
)
DOCUMENT = Kind(
    name="DOCUMENT",
    rank=3,
    cells="revisions; revisions of each author",
    feeds=(Feed(REVISION.source(), of_document),),
    key=METADATA.summary,
    sources=lambda reader, document: reader.read(items.revisions(document)),
    parts=(Unbounded(),),
)
SYSTEM = System(
    name="documents",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "ConditionCheckItem"),
        writes=(ONCE, WITHDRAWN),
    ),
    items=(NAMES, METADATA, PERMISSIONS, NEWEST, REVISION, INFORMATION),
    kinds=(MAY_READ, DOCUMENT),
    searchable=(words.DOCUMENT,),
    copies=(newest.copies(REVISION, NEWEST, items.revisions), names.COPIES),
    # Readers need a permission.
    private=(DOCUMENTS, items.READERS),
)
