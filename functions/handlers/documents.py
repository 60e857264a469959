"""Documents: described, permitted, revised, read. Who may not even read one is told that it does not exist."""

import time
from http import HTTPStatus
from typing import Annotated

import simplejson
from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path

from functions.domain.documents import BY_AUTHOR, REVISIONS, Information, Metadata, Permissions, Revision, Right
from functions.domain.errors import NotFoundError
from functions.domain.measures import Cell
from functions.domain.times import Millis, rfc_3339
from functions.domain.versions import MAX_VERSION, counts_by, unlisted
from functions.handlers import http, once, runtime
from functions.handlers.models.documents import (
    DocumentOut,
    DocumentSummary,
    InformationIn,
    InformationOut,
    MetadataIn,
    MetadataOut,
    PermissionsIn,
    PermissionsOut,
    VersionIn,
    VersionOut,
    VersionsOut,
)
from functions.handlers.models.fields import PathId, PathName
from functions.handlers.paging import DEFAULT_LIMIT, CursorText, Limit, Order, Paging
from functions.store import documents
from functions.store.versions import Once

app = http.resolver()

_Name = Annotated[PathName, Path()]


@app.put(
    "/documents/<document>/metadata",
    summary="Say what a document is about; the first one creates the document and owns it",
    responses=http.described(MetadataOut)
    | http.described(MetadataOut, HTTPStatus.CREATED)
    | http.FORBIDDEN
    | http.NOT_FOUND
    | http.CONFLICT,
    tags=["documents"],
)
def put_metadata(document: Annotated[PathId, Path()], body: MetadataIn) -> Response[str]:
    """One read, one transaction with the permissions: a new document gets them, another one must still have them."""
    metadata = Metadata(document, body.title, body.description or "", body.attributes)
    created = documents.describe(runtime.table(), _caller(), metadata)
    return http.reply(_metadata(metadata), HTTPStatus.CREATED if created else HTTPStatus.OK)


@app.put(
    "/documents/<document>/permissions",
    summary="Say who else may read and write a document; its owner's right",
    responses=http.described(PermissionsOut) | http.FORBIDDEN | http.NOT_FOUND | http.CONFLICT,
    tags=["documents"],
)
def put_permissions(document: Annotated[PathId, Path()], body: PermissionsIn) -> Response[str]:
    """One read, one conditional write; no write of somebody else that these forbid comes after it."""
    readers, writers = frozenset(body.readers), frozenset(body.writers)
    return http.reply(_permissions(documents.permit(runtime.table(), _caller(), document, readers, writers)))


@app.put(
    "/documents/<document>/information/<name>",
    summary="Keep information of any name with a document, such as storage or review",
    responses=http.described(InformationOut)
    | http.described(InformationOut, HTTPStatus.CREATED)
    | http.FORBIDDEN
    | http.NOT_FOUND
    | http.CONFLICT,
    tags=["documents"],
)
def put_information(document: Annotated[PathId, Path()], name: _Name, body: InformationIn) -> Response[str]:
    """Two reads, one transaction with the permissions and, for a new name, the list of names. The last one wins."""
    information = Information(document, name, body.data)
    created = documents.inform(runtime.table(), _caller(), information)
    return http.reply(_information(information), HTTPStatus.CREATED if created else HTTPStatus.OK)


@app.get(
    "/documents/<document>/information/<name>",
    summary="The information of a name that is kept with a document",
    responses=http.described(InformationOut) | http.FORBIDDEN | http.NOT_FOUND,
    tags=["documents"],
)
def get_information(document: Annotated[PathId, Path()], name: _Name) -> Response[str]:
    """The permissions, then the information: nothing of it is read for those who may not."""
    table = runtime.table()
    documents.permitted(table, document, _caller(), Right.READ)
    found = documents.find_information(table, document, name)
    if found is None:
        raise NotFoundError("information", name)
    return http.reply(_information(found))


@app.delete(
    "/documents/<document>/information/<name>",
    summary="Remove the information of a name",
    status_code=HTTPStatus.NO_CONTENT,
    responses=http.removal() | http.FORBIDDEN | http.NOT_FOUND | http.CONFLICT,
    tags=["documents"],
)
def delete_information(document: Annotated[PathId, Path()], name: _Name) -> Response[str]:
    """Two reads, one transaction with the permissions and the list of names. There need not be any."""
    documents.forget(runtime.table(), _caller(), document, name)
    return http.no_content()


@app.post(
    "/documents/<document>/versions",
    summary="Store the next version of a document's text",
    status_code=HTTPStatus.CREATED,
    responses=http.described(VersionOut)
    | http.described(VersionOut, HTTPStatus.CREATED)
    | http.FORBIDDEN
    | http.NOT_FOUND
    | http.CONFLICT,
    tags=["documents"],
)
def post_version(document: Annotated[PathId, Path()], body: VersionIn, key: once.Key = None) -> Response[str]:
    """One transaction; of two authors at once one gets the version, the other a 409 that tells it."""
    revision = Revision(document, 0, _now(), _caller(), body.content, body.note or "")
    sent = Once(revision.author, key) if key else None
    stored, again = documents.revise(runtime.table(), revision, body.expected_version, sent)
    return http.reply(_version(stored), HTTPStatus.OK if again else HTTPStatus.CREATED)


@app.get(
    "/documents/<document>",
    summary="A document: its numbers, metadata, permissions, names of further information, newest version",
    responses=http.described(DocumentOut) | http.FORBIDDEN | http.NOT_FOUND,
    tags=["documents"],
)
def get_document(document: Annotated[PathId, Path()]) -> Response[str]:
    """One consistent query of all; one more request where there are so many authors that the numbers go on."""
    found = documents.find(runtime.table(), _caller(), document)
    versions, authors = found.numbers.get(REVISIONS, Cell()).count, counts_by(BY_AUTHOR, found.numbers)
    out = DocumentOut(
        document=document,
        summary=DocumentSummary(versions=versions, authors=authors, unlisted=unlisted(versions, authors)),
        metadata=_metadata(found.metadata),
        permissions=_permissions(found.permissions),
        information=sorted(found.information),
        newest=_version(found.newest) if found.newest else None,
    )
    return http.reply(out)


@app.get(
    "/documents/<document>/versions",
    summary="All versions of a document",
    responses=http.described(VersionsOut) | http.FORBIDDEN | http.NOT_FOUND,
    tags=["documents"],
)
def get_versions(
    document: Annotated[PathId, Path()],
    order: Order = "asc",
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """The permissions, then one query."""
    paging = Paging({"route": "versions", "of": [document, order]}, cursor)
    table, after = runtime.table(), paging.after
    documents.permitted(table, document, _caller(), Right.READ)
    found, position = documents.page(table, document, limit, after, forward=order == "asc")
    return http.reply(VersionsOut(versions=[_version(each) for each in found], cursor=paging.next(position)))


@app.get(
    "/documents/<document>/versions/<version>",
    summary="One version of a document",
    responses=http.described(VersionOut) | http.FORBIDDEN | http.NOT_FOUND,
    tags=["documents"],
)
def get_version(
    document: Annotated[PathId, Path()], version: Annotated[int, Path(ge=1, le=MAX_VERSION)]
) -> Response[str]:
    """The permissions, then the version: nothing of it is read for those who may not."""
    table = runtime.table()
    documents.permitted(table, document, _caller(), Right.READ)
    found = documents.find_revision(table, document, version)
    if found is None:
        raise NotFoundError("version", str(version))
    return http.reply(_version(found))


handler = http.handler(app)


def _now() -> Millis:
    return time.time_ns() // 1_000_000


def _caller() -> str:
    return http.caller(app).user


def _metadata(metadata: Metadata) -> MetadataOut:
    description, attributes = metadata.description or None, dict(metadata.attributes)
    return MetadataOut(title=metadata.title, description=description, attributes=attributes)


def _permissions(permissions: Permissions) -> PermissionsOut:
    readers, writers = sorted(permissions.readers), sorted(permissions.writers)
    return PermissionsOut(owner=permissions.owner, readers=readers, writers=writers)


def _information(information: Information) -> InformationOut:
    return InformationOut(name=information.name, data=simplejson.loads(information.data, use_decimal=True))


def _version(revision: Revision) -> VersionOut:
    return VersionOut(
        version=revision.version,
        at=rfc_3339(revision.at),
        author=revision.author,
        content=revision.content,
        note=revision.note or None,
    )
