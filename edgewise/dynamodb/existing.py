"""A table that was there before: its keys have other names and forms, and most of its items are not the engine's.

The engine's own items stand in the same table, below a prefix of their own; or, where the keys have no room for that,
in a table beside it. Everywhere else in the engine, an item has the keys PK and SK, and a `Type`. Here, and nowhere
else, keys get the names and forms that they have in the table, and all other attributes go into one map: so no key or
index of somebody's own finds in the engine's items what it takes for its own. Only the version stands beside the map,
since statements of PartiQL compare paths into maps on some engines and not on others. How items are stored is a
contract (docs/stored-format.md).
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from edgewise.dynamodb.attributes import Attribute, Item, s, string
from edgewise.dynamodb.keys import escape, prefix, split
from edgewise.dynamodb.schema import BY_VALUE, PARTITION_KEY, SORT_KEY
from edgewise.errors import PassingError
from edgewise.failures import PoisonError, sorted_out

# The attribute in which the engine finds an item of the table's own, as the table has it.
ITEM = "Item"
# What the engine calls items of the table's own that may feed aggregates, and those that don't.
SOURCE, NO_SOURCE = "ITEM", ""
_OTHERS = prefix("ITEM")
# What the partitions of the engine's items begin with, and the names of all that it writes into somebody's table.
OWN, PREFIX = prefix("edgewise"), "Edgewise"
# How the engine's items are stored: a release that stores them in another way takes the next number.
FORMAT = 1
# The map of an item of the engine's that has all its attributes, but for keys and the version; `#` names it in
# expressions. Later formats call it Edgewise2, and so on: so nobody, in any language, takes one format for another.
MAP, IN_MAP, VERSION = PREFIX, "#edgewise", f"{PREFIX}Version"
_MAPS = re.compile(f"{PREFIX}([0-9]*)")
# The engine's index, its keys, and the only attribute that it projects: a map with copies.
INDEX, INDEX_PARTITION, INDEX_SORT, LISTED = f"edgewise-v{FORMAT}", f"{PREFIX}PK", f"{PREFIX}SK", f"{MAP}Listed"
_INDEXED = {BY_VALUE.partition_key: INDEX_PARTITION, BY_VALUE.sort_key: INDEX_SORT}
# What the index was called while all attributes stood beside the keys. Projections can't be changed, so each format has
# an index of its own.
FORMER_INDEX = "edgewise"
WAY_OUT = (
    f"remove all items whose partition begins with {OWN}, and the engine's index of that release; "
    "then declare the views by other names, with fill=True or a backfill, which count what is there"
)
TEXT, NUMBER, BINARY = "S", "N", "B"


class UnknownFormatError(PassingError):
    """An item below the engine's prefix is in no format that this release knows."""


class FormerFormatError(UnknownFormatError):
    """An item below the engine's prefix has no map: a release before stored it, or somebody else."""

    def __init__(self, key: Mapping[str, Any]) -> None:
        super().__init__(f"{_named(key)} has no {MAP}, so a release before stored it, or somebody else: {WAY_OUT}")


class OtherFormatError(UnknownFormatError):
    """An item of the engine's is in a format that another release stores, a later one perhaps."""

    def __init__(self, key: Mapping[str, Any], number: int) -> None:
        why = f"is stored in format {number}, and this release knows format {FORMAT} alone"
        super().__init__(f"{_named(key)} {why}: deploy the release that stored it, or {WAY_OUT}")


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
        """An item of the engine's as the table has it: keys, version, map, and if it is in the index, what that tells.

        The index tells a copy: an index that projected the map would be written with every change of the item, and if
        what it tells were nowhere else, a condition would have to know where an attribute stands.
        """
        inside = {name: value for name, value in item.items() if not self.is_beside(name)}
        found = self.key(item) | {MAP: {"M": inside}}
        if "Version" in item:
            found[VERSION] = item["Version"]
        if BY_VALUE.partition_key in item:
            found[LISTED] = {"M": {name: item[name] for name in BY_VALUE.projected if name in item}}
        return found

    def key(self, item: Item) -> Item:
        """The key of any item, as the table has it, with what it has of the index's keys."""
        partition = string(item[PARTITION_KEY])
        found = {_INDEXED[name]: value for name, value in item.items() if name in _INDEXED}
        found[self.partition] = self.partition_of(partition)
        if SORT_KEY in item and self.sort:
            found[self.sort] = self._sort_of(partition, string(item[SORT_KEY]))
        return found

    def condition(self, values: Item) -> Item:
        """The values of a query's condition on keys, by placeholder, in the forms that the table's keys have."""
        partition = string(values[":pk"])
        sorts = {name: self._sort_of(partition, string(value)) for name, value in values.items() if name != ":pk"}
        return {":pk": self.partition_of(partition), **sorts}

    def read(self, stored: Item) -> Item:
        """An item of the table as the engine knows it; raises UnknownFormatError."""
        if not self._is_engines(stored):
            of_type = s(SOURCE if self.counts(stored) else NO_SOURCE)
            return {**self.read_key(stored), "Type": of_type, ITEM: {"M": stored}}
        inside = stored.get(MAP) or stored.get(LISTED) or {}
        if "M" not in inside:
            raise self._unknown_format(stored)
        version = {"Version": stored[VERSION]} if VERSION in stored else {}
        return {**inside["M"], **version, **self.read_key(stored)}

    def read_key(self, stored: Item) -> Item:
        """The key of an item of the table as the engine knows it, with what it has of the index's keys."""
        if not self._is_engines(stored):
            sort = key_text(stored[self.sort]) if self.sort else ""
            return {PARTITION_KEY: s(others(key_text(stored[self.partition]))), SORT_KEY: s(sort)}
        partition, sort = string(stored[self.partition]).removeprefix(OWN), _to_engine(stored[self.sort])
        listed = {name: stored[given] for name, given in _INDEXED.items() if given in stored}
        return {PARTITION_KEY: s(partition), SORT_KEY: s(sort), **listed}

    def record(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """A record of the table's stream, with images as the engine knows them; one that can't be read, unchanged.

        What is written in a format that this release does not know has no type, so nobody can read its record: whoever
        asks for the type is told why. What was written in it before, nobody has counted.
        """
        return _with_images(record, self._image)

    def is_of_engine(self, record: Mapping[str, Any]) -> bool:
        """Whether a record, as it is delivered, tells of an item of the engine's."""
        keys = (record.get("dynamodb") or {}).get("Keys") or {}
        return self.partition in keys and self._is_engines(keys)

    def as_delivered(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """The inverse of `record`."""
        return _with_images(record, lambda _, image: image[ITEM]["M"] if ITEM in image else self._delivered(image))

    def name(self, name: str) -> str:
        """The name in the table of an attribute of the engine's items: of one beside the map, or within it."""
        return self._names.get(name, name)

    def is_beside(self, name: str) -> bool:
        """Whether an attribute of the engine's items stands beside the map: a key, or the version."""
        return name in self._names

    def partition_of(self, partition: str) -> Attribute:
        """The key of the table's partition that the engine calls so."""
        return _of_text(self.forms[0], split(partition)[1]) if is_others(partition) else s(OWN + partition)

    def _sort_of(self, partition: str, sort: str) -> Attribute:
        form = self.forms[1]
        return _of_text(form, sort) if is_others(partition) else _of_engine(form, sort)

    def _is_engines(self, stored: Item) -> bool:
        partition = stored[self.partition].get(TEXT)
        return self.has_room and isinstance(partition, str) and partition.startswith(OWN)

    def _delivered(self, image: Item) -> Item:
        """An item of the engine's as Lambda delivers it, as JSON: bytes as a text."""
        stored = self.stored(image)
        if self.sort and (sort := stored[self.sort].get(BINARY)) is not None:
            stored[self.sort] = {BINARY: b64encode(_bytes(sort)).decode()}
        return stored

    def _image(self, name: str, image: Item) -> Item:
        try:
            return self.read(image)
        except UnknownFormatError as error:
            unread: Item = {**self.read_key(image), ITEM: {"M": image}}
            return _Untyped(unread, str(error)) if name == "NewImage" else unread | {"Type": s(NO_SOURCE)}

    def _unknown_format(self, stored: Item) -> UnknownFormatError:
        key = {name: stored[name] for name in (self.partition, self.sort)}
        maps = [found for name, value in stored.items() if "M" in value and (found := _MAPS.fullmatch(name))]
        return OtherFormatError(key, int(maps[0][1] or 1)) if maps else FormerFormatError(key)

    @cached_property
    def _names(self) -> Mapping[str, str]:
        return {PARTITION_KEY: self.partition, SORT_KEY: self.sort, "Version": VERSION, **_INDEXED}


class _Untyped(dict[str, Attribute]):
    """An item without a type; `why` it has none."""

    def __init__(self, item: Item, why: str) -> None:
        super().__init__(item)
        self._why = why

    def __missing__(self, name: str) -> Attribute:
        raise ValueError(self._why)


def _named(key: Mapping[str, Any]) -> str:
    return "the item " + ", ".join(f"{name} {next(iter(value.values()))}" for name, value in key.items())


# The table of the engine's items, if they are apart: it has nothing else, and they are stored as in any other.
BESIDE = ExistingTable(PARTITION_KEY, SORT_KEY, lambda _: False)


def others(partition: str) -> str:
    """The partition of the table's own items with this key, as the engine calls it: queries for sources name it so."""
    return _OTHERS + escape(partition)


def is_others(partition: str) -> bool:
    """Whether a partition, as the engine calls it, has the table's own items."""
    return partition.startswith(_OTHERS)


def _with_images(record: Mapping[str, Any], read: Callable[[str, Item], Item]) -> Mapping[str, Any]:
    try:
        with sorted_out():
            change = record["dynamodb"]
            images = {name: read(name, change[name]) for name in ("NewImage", "OldImage") if name in change}
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
