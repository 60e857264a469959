"""Documents: metadata, permissions, information, versions. A caller who may not read a document gets a 404."""

from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

import simplejson
from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path

from edgewise import Cell, Member, NotFoundError, clock, rfc_3339
from functions import users
from functions.revisions.store import Once
from functions.revisions.versions import MAX_VERSION, counts_by, unlisted
from functions.settings import DocumentsSettings
from functions.systems.documents import items, people, store
from functions.systems.documents.entity import BY_AUTHOR, REVISIONS, Information, Metadata, Permissions, Revision, Right
from functions.systems.documents.items import REVISION
from functions.systems.documents.models import (
    DocumentOut,
    DocumentsOut,
    DocumentSummary,
    InformationIn,
    InformationOut,
    MetadataIn,
    MetadataOut,
    PermissionsIn,
    PermissionsOut,
    ReadableDocument,
    VersionIn,
    VersionOut,
    VersionsOut,
)
from functions.systems.documents.system import DOCUMENT, MAY_READ, SYSTEM
from functions.users import User
from functions.web import answers, charges, http, once, runtime
from functions.web.conditions import IfAbsent, IfChanged, IfMatch, expected
from functions.web.fields import PathId, PathName
from functions.web.paging import DEFAULT_LIMIT, Beginning, CursorText, Limit, Order, edges_page, items_page

app = http.resolver(SYSTEM)


@http.route(
    app,
    "PUT /documents/{document}/metadata",
    "Store a document's metadata; the first caller creates and owns the document",
    responses=answers.stored(MetadataOut) | answers.FORBIDDEN | answers.NOT_FOUND | answers.CONFLICT,
)
def put_metadata(document: PathId, body: MetadataIn) -> Response[str]:
    """One read, one transaction: it creates the permissions of a new document, or checks that they are unchanged."""
    metadata = Metadata(document, body.title, body.description or "", body.attributes)
    caller = http.caller(app)
    created = store.describe(runtime.table(), User(caller.sub, caller.name), metadata)
    return answers.reply(_metadata(metadata), HTTPStatus.CREATED if created else HTTPStatus.OK)


@http.route(
    app,
    "PUT /documents/{document}/permissions",
    "Set who else may read and write a document; only its owner may",
    responses=answers.described(PermissionsOut) | answers.FORBIDDEN | answers.NOT_FOUND | answers.CONFLICT,
)
def put_permissions(document: PathId, body: PermissionsIn) -> Response[str]:
    """One read, one conditional write; after it, no write succeeds that the new permissions forbid.

    The write is a transaction if users lose the document, because their searches find it no more: one for each 99.

    Cognito is asked for each name that had no permission before. The answer is the same whether anybody has it.
    """
    change = partial(people.permitting, readers=body.readers, writers=body.writers, find=_find)
    return answers.reply(_permissions(store.permit(runtime.table(), _caller(), document, change)))


@http.route(
    app,
    "PUT /documents/{document}/information/{name}",
    "Store information with a document under any name, such as storage or review",
    responses=answers.stored(InformationOut) | answers.FORBIDDEN | answers.NOT_FOUND | answers.CONFLICT,
)
def put_information(document: PathId, name: PathName, body: InformationIn) -> Response[str]:
    """Two reads, one transaction with the permissions and, for a new name, the list of names. The last writer wins."""
    information = Information(document, name, body.data)
    created = store.inform(runtime.table(), _caller(), information)
    return answers.reply(_information(information), HTTPStatus.CREATED if created else HTTPStatus.OK)


@http.route(
    app,
    "GET /documents/{document}/information/{name}",
    "The information stored with a document under a name",
    responses=answers.described(InformationOut) | answers.FORBIDDEN | answers.NOT_FOUND,
)
def get_information(document: PathId, name: PathName) -> Response[str]:
    """Two reads, the permissions first: the information is not read for a caller without permission."""
    table = runtime.table()
    store.permitted(table, document, _caller(), Right.READ)
    found = store.find_information(table, document, name)
    if found is None:
        raise NotFoundError("information", name)
    return answers.reply(_information(found))


@http.route(
    app,
    "DELETE /documents/{document}/information/{name}",
    "Remove the information under a name",
    responses=answers.removal() | answers.FORBIDDEN | answers.NOT_FOUND | answers.CONFLICT,
    status_code=HTTPStatus.NO_CONTENT,
)
def delete_information(document: PathId, name: PathName) -> Response[str]:
    """Two reads, one transaction with the permissions and the list of names. The information need not exist."""
    store.forget(runtime.table(), _caller(), document, name)
    return answers.no_content()


@http.route(
    app,
    "POST /documents/{document}/versions",
    "Store the next version of a document's text",
    responses=answers.tagged(answers.stored(VersionOut))
    | answers.FORBIDDEN
    | answers.NOT_FOUND
    | answers.CONFLICT
    | answers.PRECONDITION_FAILED,
    status_code=HTTPStatus.CREATED,
)
def post_version(
    document: PathId, body: VersionIn, key: once.Key = None, if_match: IfMatch = None, if_absent: IfAbsent = None
) -> Response[str]:
    """One transaction. Of two concurrent authors, one gets the version, the other a 409 with the stored version.

    The conditions apply to the newest version; a condition with its number saves a read.
    """
    caller = http.caller(app)
    revision = Revision(document, 0, clock.now(), caller.name, body.content, body.note or "")
    sent = Once(caller.sub, key) if key else None
    stored, again = store.revise(runtime.table(), caller.sub, revision, expected(if_match, if_absent), sent)
    return answers.version(_version(stored), stored.version, HTTPStatus.OK if again else HTTPStatus.CREATED)


@http.route(
    app,
    "GET /documents",
    "The documents that the caller may read, by id",
    responses=answers.described(DocumentsOut),
    shows=(MAY_READ,),
)
def get_documents(
    begins_with: Beginning = None, limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None
) -> Response[str]:
    """One query of the caller's own edges: whoever is in no group and whoever is in all see only what they may read."""
    page = edges_page((MAY_READ,), items.readable(_caller(), begins_with or ""), limit, cursor)
    return answers.reply(DocumentsOut(documents=list(map(_readable, page.edges)), cursor=page.cursor))


@http.route(
    app,
    "GET /documents/{document}",
    "A document: its numbers, metadata, permissions, names of further information, newest version",
    responses=answers.described(DocumentOut) | answers.FORBIDDEN | answers.NOT_FOUND,
    shows=(DOCUMENT,),
)
def get_document(document: PathId) -> Response[str]:
    """One consistent query; one more request if there are so many authors that the summary has continuations."""
    found = store.find(runtime.table(), _caller(), document)
    versions, authors = found.numbers.get(REVISIONS, Cell()).count, counts_by(BY_AUTHOR, found.numbers)
    out = DocumentOut(
        document=document,
        summary=DocumentSummary(versions=versions, authors=authors, unlisted=unlisted(versions, authors)),
        metadata=_metadata(found.metadata),
        permissions=_permissions(found.permissions),
        information=sorted(found.information),
        newest=_version(found.newest) if found.newest else None,
    )
    return answers.reply(out)


@http.route(
    app,
    "GET /documents/{document}/versions",
    "All versions of a document",
    responses=answers.described(VersionsOut) | answers.FORBIDDEN | answers.NOT_FOUND,
)
def get_versions(
    document: PathId,
    order: Order = "asc",
    limit: Limit = DEFAULT_LIMIT,
    cursor: CursorText = None,
) -> Response[str]:
    """One read of the permissions, then one query."""
    store.permitted(runtime.table(), document, _caller(), Right.READ)
    query = items.revisions(document, forward=order == "asc")
    found, next_cursor = items_page(query, limit, cursor, REVISION.decode)
    return answers.reply(VersionsOut(versions=[_version(each) for each in found], cursor=next_cursor))


@http.route(
    app,
    "GET /documents/{document}/versions/{version}",
    "One version of a document",
    responses=answers.read_version(VersionOut) | answers.FORBIDDEN | answers.NOT_FOUND,
)
def get_version(
    document: PathId, version: Annotated[int, Path(ge=1, le=MAX_VERSION)], if_changed: IfChanged = None
) -> Response[str]:
    """Two reads, the permissions first: the version is not read for a caller without permission."""
    table = runtime.table()
    store.permitted(table, document, _caller(), Right.READ)
    found = store.find_revision(table, document, version)
    if found is None:
        raise NotFoundError("version", str(version))
    return answers.version_unless_known(_version(found), found.version, if_changed)


handler = http.handler(app)


def _caller() -> str:
    return http.caller(app).sub


def _find(names: Sequence[str]) -> Mapping[str, str | None]:
    """The `sub` of the user whom each name means now; None: nobody. Charged before anybody is asked."""
    charges.take(http.caller(app), "readers", people.LOOK_UP * len(names))
    pool = DocumentsSettings.from_env().user_pool_id
    return {name: users.sub_of(pool, name) for name in names}


def _readable(edge: Member) -> ReadableDocument:
    right = max(Right[name] for name in edge.cells)
    return ReadableDocument(document=edge.target[0], right=right.name.lower())


def _metadata(metadata: Metadata) -> MetadataOut:
    description, attributes = metadata.description or None, dict(metadata.attributes)
    return MetadataOut(title=metadata.title, description=description, attributes=attributes)


def _permissions(permissions: Permissions) -> PermissionsOut:
    owner = permissions.owner_name or permissions.owner
    return PermissionsOut(owner=owner, readers=sorted(permissions.readers), writers=sorted(permissions.writers))


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
