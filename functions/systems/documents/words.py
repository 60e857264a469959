"""What is searched of a document: its metadata and its newest text. Only who may read the document finds it."""

from collections.abc import Sequence

from edgewise import Between, Item, Key, Query
from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.keys import split
from functions.searchable import Contents, Searchable
from functions.systems.documents.items import DOCUMENTS, METADATA, NEWEST, PERMISSIONS

_TYPES = (METADATA, PERMISSIONS, NEWEST)


def _document(item: Item) -> Key:
    """The document that an item is of, by its metadata."""
    return METADATA.key(split(string(item["PK"]))[1])


def _items(key: Key) -> Query:
    (document,) = METADATA.names(key)
    return Query(DOCUMENTS(document), Between(key.sk, NEWEST.key(document).sk), consistent=True)


def _contents(items: Sequence[Item]) -> Contents | None:
    found = {string(item["Type"]): item for item in items}
    if not {METADATA.name, PERMISSIONS.name} <= found.keys():
        return None
    metadata, permissions = METADATA.decode(found[METADATA.name]), PERMISSIONS.decode(found[PERMISSIONS.name])
    newest = NEWEST.decode(found[NEWEST.name]) if NEWEST.name in found else None
    told = [metadata.description, *metadata.attributes.values(), newest.content if newest else "", metadata.document]
    return Contents(
        (metadata.document,),
        metadata.title,
        "\n".join(filter(None, told)),
        newest.at if newest else None,
        readers=permissions.users,
    )


DOCUMENT = Searchable(
    "document", DOCUMENTS, dict.fromkeys((each.name for each in _TYPES), _document), _contents, _items
)
