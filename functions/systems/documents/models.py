"""Requests and responses of the document routes."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, WithJsonSchema

from functions.web.common import Counted, Listed
from functions.web.fields import ExactId, Line, Prose, Request, at_most_bytes, in_bytes, printable
from functions.web.json_text import json_text

# All that one query of a document reads must fit into the 1 MB of its page (tests/systems/documents/test_limits.py).
MAX_CONTENT_BYTES, MAX_NOTE, MAX_DESCRIPTION = 200_000, 1000, 2000
MAX_ATTRIBUTES, MAX_ATTRIBUTE, MAX_USERS = 50, 1000, 100
MAX_INFORMATION_BYTES = 100_000


AttributeName = Annotated[str, Field(min_length=1, max_length=64), AfterValidator(printable)]
AttributeText = Annotated[Prose, Field(max_length=MAX_ATTRIBUTE)]
# As the user pool has their names.
Users = Annotated[list[ExactId], Field(max_length=MAX_USERS)]


class MetadataIn(Request):
    """A document's metadata; replaces the stored metadata."""

    title: Line
    description: Annotated[Prose, Field(max_length=MAX_DESCRIPTION)] | None = None
    attributes: Annotated[dict[AttributeName, AttributeText], Field(max_length=MAX_ATTRIBUTES, default_factory=dict)]


class PermissionsIn(Request):
    """The users besides the owner who may read, and who may write; replaces the stored permissions."""

    readers: Users
    writers: Users


class InformationIn(Request):
    """Information under a name: a JSON object of up to 100 KB; replaces the stored object."""

    data: Annotated[
        str,
        BeforeValidator(lambda data: json_text(data, MAX_INFORMATION_BYTES)),
        WithJsonSchema({"type": "object"} | in_bytes(MAX_INFORMATION_BYTES)),
    ]


class VersionIn(Request):
    """The next version of a document's text."""

    content: Annotated[
        Prose, AfterValidator(at_most_bytes(MAX_CONTENT_BYTES)), Field(json_schema_extra=in_bytes(MAX_CONTENT_BYTES))
    ]
    note: Annotated[Prose, Field(max_length=MAX_NOTE)] | None = None


class MetadataOut(BaseModel):
    """A document's metadata."""

    title: str
    description: str | None
    attributes: dict[str, str]


class PermissionsOut(BaseModel):
    """A document's permissions: the owner may do everything, writers may write and read, readers may read."""

    owner: str
    readers: list[str]
    writers: list[str]


class InformationOut(BaseModel):
    """Information of a document, under its name."""

    name: str
    data: dict[str, Any]


class VersionOut(BaseModel):
    """One version of a document's text, numbered from 1."""

    version: int
    at: str
    author: str
    content: str
    note: str | None


class VersionsOut(Listed):
    """One page of a document's versions."""

    versions: list[VersionOut]
    cursor: str | None


class DocumentSummary(BaseModel):
    """How many versions a document has had, and how many by each author.

    If there are thousands of authors, not all are listed; `unlisted` counts the versions by the others.
    """

    versions: int
    authors: dict[str, int]
    unlisted: int


class ReadableDocument(BaseModel):
    """A document that the caller may read, and the caller's right: each includes those after it."""

    document: str
    right: Literal["own", "write", "read"]


class DocumentsOut(Counted, Listed):
    """One page of the documents that the caller may read; changed permissions show when the stream has passed them."""

    documents: list[ReadableDocument]
    cursor: str | None


class DocumentOut(Counted, Listed):
    """A document; `information` lists the names of its information, `newest` is null before the first version."""

    document: str
    summary: DocumentSummary
    metadata: MetadataOut
    permissions: PermissionsOut
    information: list[str]
    newest: VersionOut | None
