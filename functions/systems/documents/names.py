"""The names of a document's information, derived anew from the information."""

from contextlib import suppress

from functions.derived import Copies, Stated, as_read
from functions.dynamodb import pages
from functions.dynamodb.attributes import Item
from functions.dynamodb.keys import Key
from functions.dynamodb.table import RefusedError, Table
from functions.dynamodb.writes import ABSENT, Put
from functions.systems.documents import codec, keys, patterns
from functions.systems.documents.entity import InformationNames


def told(item: Item) -> Stated:
    """What one item of information says of the names."""
    of = codec.information(item)
    return keys.information_names(of.document), frozenset({of.name})


def said(item: Item) -> Stated:
    """What the item with the names says."""
    of = codec.information_names(item)
    return keys.information_names(of.document), of.names


def put_right(table: Table, key: Key) -> None:
    """Make the item say the names of the information that there is."""
    listed = table.get(key)  # first, since whoever adds or removes a name also replaces it
    document = keys.parse(key.pk)
    known = codec.information_names(listed) if listed else InformationNames(document)
    every = pages.every(table, patterns.information(document))
    names = frozenset(codec.information(item).name for page in every for item in page.items)
    if names != known.names:
        right = codec.information_names_item(InformationNames(document, names, known.version + 1))
        with suppress(RefusedError):
            table.write(Put(right, as_read(listed) if listed else ABSENT))


COPIES = Copies(
    copy="DOCUMENT_INFORMATION_NAMES",
    original="DOCUMENT_INFORMATION",
    told=told,
    said=said,
    single=True,
    put_right=put_right,
)
