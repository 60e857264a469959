"""What an example stores, read back from an engine in memory."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from unittest.mock import patch

from edgewise import clock
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import split
from edgewise.dynamodb.schema import INDEXES
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from local import invoke

NOW = from_rfc_3339("2018-08-29T12:00:00.000Z")


@dataclass(frozen=True)
class Stored:
    """Items, and the entries of each index by its name, with the attributes that it projects."""

    items: Sequence[Item]
    entries: Mapping[str, Sequence[Item]]


def stored(given: Callable[[Table], None]) -> Stored:
    """Everything that an example stores, at a fixed time."""
    with patch.object(clock, "now", lambda: NOW), invoke.in_memory():
        table = Table(invoke.TABLE)
        given(table)
        return Stored(_scanned(table), {index.name: _scanned(table, IndexName=index.name) for index in INDEXES})


def few(found: Stored, partitions: Sequence[str]) -> Stored:
    """Some collections, in the order of their keys: only the first and the last item of each type in each of them.

    `partitions` are partition keys, or their first components (`DEVICE`); empty means all.
    """
    wanted = [item for item in found.items if not partitions or {key_of(item).pk, kind(item)} & set(partitions)]
    items = [item for _, alike in groupby(sorted(wanted, key=_by_type), _by_type) for item in _ends(list(alike))]
    kept = set(map(key_of, items))
    entries = {index: [entry for entry in of if key_of(entry) in kept] for index, of in found.entries.items()}
    return Stored(sorted(items, key=key_of), entries)


def kind(item: Item) -> str:
    """The first component of an item's partition key."""
    return split(key_of(item).pk)[0]


def _by_type(item: Item) -> tuple[str, str]:
    return key_of(item).pk, string(item["Type"])


def _ends(items: Sequence[Item]) -> Sequence[Item]:
    first, *others = sorted(items, key=key_of)
    return [first, *others[-1:]]


def _scanned(table: Table, **of: Any) -> Sequence[Item]:
    pages = table.client.get_paginator("scan").paginate(TableName=table.name, **of)
    return [dict(item) for page in pages for item in page["Items"]]
