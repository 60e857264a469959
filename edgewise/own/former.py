"""Records of items that another release stored in a format of its own.

What it wrote last is set aside, and while it is there, all that reads it is refused. The way out removes it, and counts
anew (edgewise/dynamodb/existing.py): so such a record then changes nothing.
"""

from collections.abc import Iterable

from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.existing import ITEM, UnknownFormatError
from edgewise.dynamodb.table import Table
from edgewise.stream.changes import Record


def without_removed(table: Table, records: Iterable[Record]) -> list[Record]:
    """The records, as the engine knows them; those of such items that are not there any more change nothing."""
    return [changing_nothing(each) if _is_removed(table, each) else each for each in records]


def _is_removed(table: Table, record: Record) -> bool:
    image = (record.get("dynamodb") or {}).get("NewImage") or {}
    if ITEM not in image or "Type" in image:
        return False
    try:
        table.get(key_of(image))
    except UnknownFormatError:
        return False
    return True


def changing_nothing(record: Record) -> Record:
    """The record, of which only its place is left."""
    return {**record, "dynamodb": {name: of for name, of in record["dynamodb"].items() if not name.endswith("Image")}}
