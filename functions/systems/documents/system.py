"""Documents: metadata, permissions, information under any name, and every revision of the text."""

from functions.aggregates.keys import SUMMARY, summarized
from functions.aggregates.kinds import Feed, Kind, Source
from functions.derived import in_no_index
from functions.dynamodb.keys import Key
from functions.revisions import newest
from functions.revisions.keys import ONCE
from functions.system import Rights, System
from functions.systems.documents import codec, keys, names, patterns
from functions.systems.documents.entity import of_document, of_may_read

MAY_READ = Kind(
    name="MAY_READ",
    rank=1,
    cells="a user's right to a document",
    feeds=(Feed(Source("DOCUMENT_PERMISSIONS", codec.permissions), of_may_read),),
    partitions=keys.READERS,
    key=keys.may_read,
    parse=keys.parse_may_read,
    sources=lambda reader, _, document: reader.read(patterns.permissions(document)),
    extremes=None,
)
DOCUMENT = Kind(
    name="DOCUMENT",
    rank=3,
    cells="revisions; revisions of each author",
    feeds=(Feed(Source("DOCUMENT_REVISION", codec.revision), of_document),),
    partitions=keys.DOCUMENTS,
    key=lambda document: Key(keys.document(document), SUMMARY),
    parse=summarized,
    sources=lambda reader, document: reader.read(patterns.revisions(document)),
    extremes=None,
    unbounded=True,
)
_TYPES = (
    "DOCUMENT_METADATA",
    "DOCUMENT_PERMISSIONS",
    "DOCUMENT_INFORMATION",
    "DOCUMENT_INFORMATION_NAMES",
    "DOCUMENT_REVISION",
    "DOCUMENT_NEWEST",
)

SYSTEM = System(
    name="documents",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "ConditionCheckItem"),
        writes=(keys.DOCUMENTS, ONCE),
    ),
    kinds=(MAY_READ, DOCUMENT),
    anew=dict.fromkeys(_TYPES, in_no_index),
    copies=(
        newest.copies(
            revision="DOCUMENT_REVISION",
            newest="DOCUMENT_NEWEST",
            decode=codec.revision,
            encode=codec.newest_item,
            key=lambda revision: keys.newest(revision.document),
            history=lambda key: patterns.revisions(keys.parse(key.pk)),
        ),
        names.COPIES,
    ),
    # Readers need a permission.
    private=(keys.DOCUMENTS, keys.READERS),
)
