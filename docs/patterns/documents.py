"""Access patterns of documents."""

from docs.patterns import example
from docs.patterns.pattern import Read, Write
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.systems.documents import items as documents_items
from functions.systems.documents.entity import Information, InformationNames, Metadata, Permissions, Revision

NOON = from_rfc_3339("2018-08-29T12:00:00.000Z")

_DOCUMENT = {"document": "handbook"}
_STORAGE = _DOCUMENT | {"name": "storage"}
_PERMISSIONS = documents_items.PERMISSIONS.key("handbook")


def _document(table: Table) -> None:
    """A document that Amy may write, with three revisions and information on where it is stored."""
    revisions = [Revision("handbook", version, NOON, "amy", f"draft {version}") for version in (1, 2, 3)]
    example.store(
        table,
        documents_items.METADATA.encode(Metadata("handbook", "The handbook")),
        documents_items.PERMISSIONS.encode(Permissions("handbook", "amy")),
        *map(documents_items.REVISION.encode, revisions),
        documents_items.NEWEST.encode(revisions[-1]),
        documents_items.INFORMATION.encode(Information("handbook", "storage", '{"shelf":7}')),
        documents_items.NAMES.encode(InformationNames("handbook", frozenset({"storage"}), 1)),
    )


READS = (
    Read(
        "a document's numbers, metadata, permissions, names of further information and newest version",
        "GET /documents/{document}",
        _DOCUMENT,
        {},
        [documents_items.whole("handbook")],
        units=1.0,
        bound="1 more if there are hundreds of authors",
        given=_document,
    ),
    Read(
        "information under any other name, such as storage",
        "GET /documents/{document}/information/{name}",
        _STORAGE,
        {},
        [_PERMISSIONS, documents_items.INFORMATION.key("handbook", "storage")],
        units=2.0,
        bound="1 for the permissions, and 1",
        given=_document,
    ),
    Read(
        "all versions of a document, newest first",
        "GET /documents/{document}/versions",
        _DOCUMENT,
        {"order": "desc"},
        [_PERMISSIONS, documents_items.revisions("handbook", forward=False)],
        units=1.5,
        bound="1 for the permissions, and 1",
        given=_document,
    ),
    Read(
        "one version of a document",
        "GET /documents/{document}/versions/{version}",
        _DOCUMENT | {"version": "2"},
        {},
        [_PERMISSIONS, documents_items.REVISION.key("handbook", 2)],
        units=2.0,
        bound="1 for the permissions, and 1",
        given=_document,
    ),
    Read(
        "the documents that the caller may read",
        "GET /documents",
        {},
        {},
        [documents_items.readable("amy")],
        units=0.5,
        given=_document,
        kept="1 for each user whose right to a document changes",
    ),
)

WRITES = (
    Write(
        "create a document",
        "PUT /documents/{document}/metadata",
        _DOCUMENT,
        {"title": "The handbook"},
        {"GetItem": 1, "TransactWriteItems": 1},
        "4: metadata and permissions, in a transaction",
        groups=(),
    ),
    Write(
        "change a document's metadata",
        "PUT /documents/{document}/metadata",
        _DOCUMENT,
        {"title": "The new handbook"},
        {"GetItem": 1, "TransactWriteItems": 1},
        "4: the metadata, and the check of the permissions",
        given=_document,
        groups=(),
    ),
    Write(
        "change who may read and write a document",
        "PUT /documents/{document}/permissions",
        _DOCUMENT,
        {"readers": ["bob"], "writers": []},
        {"GetItem": 1, "PutItem": 1},
        "1",
        given=_document,
        groups=(),
    ),
    Write(
        "add information under a new name to a document",
        "PUT /documents/{document}/information/{name}",
        _DOCUMENT | {"name": "review"},
        {"data": {"state": "open"}},
        {"GetItem": 2, "TransactWriteItems": 1},
        "6: the information (2 per KB), the list of names, and the check of the permissions",
        given=_document,
        groups=(),
    ),
    Write(
        "change information of a document",
        "PUT /documents/{document}/information/{name}",
        _STORAGE,
        {"data": {"shelf": 8}},
        {"GetItem": 2, "TransactWriteItems": 1},
        "4: the information (2 per KB), and the check of the permissions",
        given=_document,
        groups=(),
    ),
    Write(
        "remove information of a document",
        "DELETE /documents/{document}/information/{name}",
        _STORAGE,
        None,
        {"GetItem": 2, "TransactWriteItems": 1},
        "6: the information, the list of names, and the check of the permissions",
        given=_document,
        groups=(),
    ),
    Write(
        "store a version of a document",
        "POST /documents/{document}/versions",
        _DOCUMENT,
        {"content": "draft 4"},
        {"GetItem": 2, "TransactWriteItems": 1},
        "6: the version, the copy of the newest one, and the check of the permissions",
        given=_document,
        groups=(),
    ),
    Write(
        "store a version that follows an expected one (`If-Match`)",
        "POST /documents/{document}/versions",
        _DOCUMENT,
        {"content": "draft 4"},
        {"GetItem": 1, "TransactWriteItems": 1},
        "6: as above, with one read fewer",
        given=_document,
        groups=(),
        headers={"if-match": '"3"'},
    ),
    Write(
        "store a version with an `Idempotency-Key`",
        "POST /documents/{document}/versions",
        _DOCUMENT,
        {"content": "draft 4"},
        {"GetItem": 2, "TransactWriteItems": 1},
        "8: as above, and the item that remembers the key",
        given=_document,
        groups=(),
        headers={"idempotency-key": "k1"},
    ),
)
