"""Items of documents: metadata, permissions, other information, each revision, and a copy of the newest one."""

from collections.abc import Iterable

from functions.dynamodb.attributes import Attribute, Item, integer, key_item, n, s, string
from functions.systems.documents import keys
from functions.systems.documents.entity import Information, InformationNames, Metadata, Permissions, Revision
from functions.times import from_rfc_3339, rfc_3339


def metadata_item(metadata: Metadata) -> Item:
    """The metadata of a document, as an item."""
    item = key_item(keys.metadata(metadata.document)) | {
        "Type": s("DOCUMENT_METADATA"),
        "Title": s(metadata.title),
        "Attributes": {"M": {name: s(text) for name, text in metadata.attributes.items()}},
    }
    return item | {"Description": s(metadata.description)} if metadata.description else item


def metadata(item: Item) -> Metadata:
    """The inverse of metadata_item."""
    attributes = {name: string(text) for name, text in item["Attributes"]["M"].items()}
    description = string(item["Description"]) if "Description" in item else ""
    return Metadata(keys.parse(string(item["PK"])), string(item["Title"]), description, attributes)


def permissions_item(permissions: Permissions) -> Item:
    """The permissions of a document, as an item."""
    return key_item(keys.permissions(permissions.document)) | {
        "Type": s("DOCUMENT_PERMISSIONS"),
        "Version": n(permissions.version),
        "Owner": s(permissions.owner),
        "Readers": _names(permissions.readers),
        "Writers": _names(permissions.writers),
        "Names": {"M": {sub: s(name) for sub, name in permissions.names.items()}},
    }


def permissions(item: Item) -> Permissions:
    """The inverse of permissions_item."""
    readers, writers = (frozenset(map(string, item[name]["L"])) for name in ("Readers", "Writers"))
    document = keys.parse(string(item["PK"]))
    names = {sub: string(name) for sub, name in item["Names"]["M"].items()}
    return Permissions(document, string(item["Owner"]), readers, writers, integer(item["Version"]), names)


def information_item(information: Information) -> Item:
    """Information under a name, as an item; it feeds no aggregate."""
    key = keys.information(information.document, information.name)
    return key_item(key) | {"Type": s("DOCUMENT_INFORMATION"), "Data": s(information.data)}


def information(item: Item) -> Information:
    """The inverse of information_item."""
    document, name = keys.parse(string(item["PK"])), keys.parse_information(string(item["SK"]))
    return Information(document, name, string(item["Data"]))


def information_names_item(known: InformationNames) -> Item:
    """The names of a document's information, as an item."""
    return key_item(keys.information_names(known.document)) | {
        "Type": s("DOCUMENT_INFORMATION_NAMES"),
        "Version": n(known.version),
        "Names": _names(known.names),
    }


def information_names(item: Item) -> InformationNames:
    """The inverse of information_names_item."""
    names = frozenset(map(string, item["Names"]["L"]))
    return InformationNames(keys.parse(string(item["PK"])), names, integer(item["Version"]))


def revision_item(revision: Revision) -> Item:
    """One revision."""
    key = keys.revision(revision.document, revision.version)
    return key_item(key) | {"Type": s("DOCUMENT_REVISION")} | _text(revision)


def newest_item(revision: Revision) -> Item:
    """The copy of the newest revision; it feeds no aggregate."""
    return key_item(keys.newest(revision.document)) | {"Type": s("DOCUMENT_NEWEST")} | _text(revision)


def revision(item: Item) -> Revision:
    """The inverse of both functions above."""
    document, note = keys.parse(string(item["PK"])), string(item["Note"]) if "Note" in item else ""
    version, at = integer(item["Version"]), from_rfc_3339(string(item["At"]))
    return Revision(document, version, at, string(item["Author"]), string(item["Content"]), note)


def _names(names: Iterable[str]) -> Attribute:
    return {"L": [s(name) for name in sorted(names)]}


def _text(revision: Revision) -> Item:
    item: Item = {
        "Version": n(revision.version),
        "At": s(rfc_3339(revision.at)),
        "Author": s(revision.author),
        "Content": s(revision.content),
    }
    return item | {"Note": s(revision.note)} if revision.note else item
