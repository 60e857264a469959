"""A table that was there before: its keys have other names and forms, and most of its items are not the engine's.

The engine's own items stand in the same table, below a prefix of their own; or, where the keys have no room for that,
in a table beside it. Everywhere else in the engine, an item has the keys PK and SK, and a `Type`. Here, and nowhere
else, keys get the names and forms that they have in the table.
"""

from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from edgewise.dynamodb.attributes import Attribute, Item, s, string
from edgewise.dynamodb.keys import escape, prefix, split
from edgewise.dynamodb.schema import BY_VALUE, PARTITION_KEY, SORT_KEY
from edgewise.failures import PoisonError, sorted_out

# The attribute in which the engine finds an item of the table's own, as the table has it.
ITEM = "Item"
# What the engine calls items of the table's own that may feed aggregates, and those that don't.
SOURCE, NO_SOURCE = "ITEM", ""
_OTHERS = prefix("ITEM")
# What the partitions of the engine's items begin with; and its index.
OWN = prefix("edgewise")
INDEX, INDEX_PARTITION, INDEX_SORT = "edgewise", "EdgewisePK", "EdgewiseSK"
TEXT, NUMBER, BINARY = "S", "N", "B"


@dataclass(frozen=True)
class ExistingTable:
    """What the keys of a table are called, and which of its items feed aggregates.

    `sort`: empty if the table has no sort key. `forms`: a letter for each key, as DynamoDB calls the types of keys.
    `apart`: whether the engine's items are kept in another table, even if there is room in this one.
    `counts`: whether an item, as the table has it, may feed aggregates.
    """

    partition: str
    sort: str
    counts: Callable[[Item], bool]
    forms: str = "SS"
    apart: bool = False

    @property
    def has_room(self) -> bool:
        """Whether the engine's items are in the same table: its keys take any text, and IAM can compare partitions."""
        return not self.apart and self.forms in (TEXT + TEXT, TEXT + BINARY)

    def stored(self, item: Item) -> Item:
        """An item of the engine's, or the key of any item, as the table has it."""
        named = {self.name(name): value for name, value in item.items() if name != SORT_KEY}
        partition = string(item[PARTITION_KEY])
        found = named | {self.partition: self.partition_of(partition)}
        if SORT_KEY in item and self.sort:
            found[self.sort] = self._sort_of(partition, string(item[SORT_KEY]))
        return found

    def condition(self, values: Item) -> Item:
        """The values of a query's condition on keys, by placeholder, in the forms that the table's keys have."""
        partition = string(values[":pk"])
        sorts = {name: self._sort_of(partition, string(value)) for name, value in values.items() if name != ":pk"}
        return {":pk": self.partition_of(partition), **sorts}

    def read(self, stored: Item) -> Item:
        """An item of the table as the engine knows it."""
        if self._is_engines(stored):
            partition = string(stored[self.partition])
            found = {self._own_names.get(name, name): value for name, value in stored.items()}
            sort = {SORT_KEY: s(_to_engine(stored[self.sort]))} if self.sort in stored else {}
            return found | {PARTITION_KEY: s(partition.removeprefix(OWN))} | sort
        sort_key = s(key_text(stored[self.sort]) if self.sort else "")
        keys = {PARTITION_KEY: s(others(key_text(stored[self.partition]))), SORT_KEY: sort_key}
        return {**keys, "Type": s(SOURCE if self.counts(stored) else NO_SOURCE), ITEM: {"M": stored}}

    def record(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """A record of the table's stream, with images as the engine knows them; one that can't be read, unchanged."""
        return _with_images(record, self.read)

    def is_of_engine(self, record: Mapping[str, Any]) -> bool:
        """Whether a record, as it is delivered, tells of an item of the engine's."""
        keys = (record.get("dynamodb") or {}).get("Keys") or {}
        return self.partition in keys and self._is_engines(keys)

    def as_delivered(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """The inverse of `record`."""
        return _with_images(record, lambda image: image[ITEM]["M"] if ITEM in image else self.stored(image))

    def name(self, name: str) -> str:
        """The name in the table of an attribute of the engine's items."""
        return self._names.get(name, name)

    def partition_of(self, partition: str) -> Attribute:
        """The key of the table's partition that the engine calls so."""
        return _of_text(self.forms[0], split(partition)[1]) if is_others(partition) else s(OWN + partition)

    def _sort_of(self, partition: str, sort: str) -> Attribute:
        form = self.forms[1]
        return _of_text(form, sort) if is_others(partition) else _of_engine(form, sort)

    def _is_engines(self, stored: Item) -> bool:
        partition = stored[self.partition].get(TEXT)
        return self.has_room and isinstance(partition, str) and partition.startswith(OWN)

    @cached_property
    def _names(self) -> Mapping[str, str]:
        indexed = {BY_VALUE.partition_key: INDEX_PARTITION, BY_VALUE.sort_key: INDEX_SORT}
        return {PARTITION_KEY: self.partition, SORT_KEY: self.sort, **indexed}

    @cached_property
    def _own_names(self) -> Mapping[str, str]:
        return {name: of_engine for of_engine, name in self._names.items()}


def others(partition: str) -> str:
    """The partition of the table's own items with this key, as the engine calls it: queries for sources name it so."""
    return _OTHERS + escape(partition)


def is_others(partition: str) -> bool:
    """Whether a partition, as the engine calls it, has the table's own items."""
    return partition.startswith(_OTHERS)


def _with_images(record: Mapping[str, Any], read: Callable[[Item], Item]) -> Mapping[str, Any]:
    try:
        with sorted_out():
            change = record["dynamodb"]
            images = {name: read(change[name]) for name in ("NewImage", "OldImage") if name in change}
            return {**record, "dynamodb": {**change, **images}}
    except PoisonError:
        return record


def _bytes(value: bytes | str) -> bytes:
    return b64decode(value) if isinstance(value, str) else value  # Lambda delivers bytes as text


def key_text(key: Attribute) -> str:
    """A text, a number or bytes as a text: of a number its digits, of bytes theirs, in hexadecimal."""
    form, value = next(iter(key.items()))
    return _bytes(cast(bytes | str, value)).hex() if form == BINARY else str(value)


def _of_text(form: str, text: str) -> Attribute:
    return {form: bytes.fromhex(text) if form == BINARY else text}


def _to_engine(key: Attribute) -> str:
    """A sort key that the engine has written."""
    form, value = next(iter(key.items()))
    return _bytes(cast(bytes | str, value)).decode() if form == BINARY else str(value)


def _of_engine(form: str, text: str) -> Attribute:
    """A sort key of the engine's. As bytes it sorts as the text does."""
    return {form: text.encode() if form == BINARY else text}
