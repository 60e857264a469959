"""The names of a document's information, derived anew from the information."""

from contextlib import suppress

from edgewise import Condition, Item, Key, Put, RefusedError, Table
from edgewise.derived import Copies, Stated
from edgewise.dynamodb import pages
from functions.systems.documents.entity import InformationNames
from functions.systems.documents.items import INFORMATION, NAMES, information


def told(item: Item) -> Stated:
    """What one item of information says of the names."""
    of = INFORMATION.decode(item)
    return NAMES.key(of.document), frozenset({of.name})


def said(item: Item) -> Stated:
    """What the item with the names says."""
    of = NAMES.decode(item)
    return NAMES.key(of.document), of.names


def put_right(table: Table, key: Key) -> None:
    """Make the item say the names of the information that there is."""
    listed = table.get(key)  # first, since whoever adds or removes a name also replaces it
    (document,) = NAMES.names(key)
    known = NAMES.decode(listed) if listed else InformationNames(document)
    every = pages.every(table, information(document))
    names = frozenset(INFORMATION.decode(item).name for page in every for item in page.items)
    if names != known.names:
        right = NAMES.encode(InformationNames(document, names, known.version + 1))
        with suppress(RefusedError):
            table.write(Put(right, Condition.as_read(listed)))


COPIES = Copies(
    name=NAMES.name,
    copies=(NAMES.name,),
    originals=(INFORMATION.name,),
    told=told,
    said=said,
    single=True,
    put_right=put_right,
)
