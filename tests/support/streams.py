"""A table whose changes are recorded as DynamoDB Streams would: by shard, in order, with both images."""

import hashlib
from collections.abc import Sequence
from typing import Any, cast

import delivery
from delivery import Source, make_record
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Action, Delete, Put, Replacement, Reply, Write
from functions.replay.memory import MemoryTable, target

_SOURCE = Source()
# 2018-08-29T12:00:00Z, in epoch seconds; and a minute later, in milliseconds.
_START = 1_535_544_000.0
PRESENT = 1_535_544_060_000


class Recording(Table):
    """Writes go to the engine beneath and, if they change anything, to `shards` as stream records.

    Items are spread over the shards, also those with one partition key. `clock` is the time of the next records, in
    epoch seconds.
    """

    shards: dict[str, list[dict[str, Any]]]
    clock: float
    _sequence: int

    def start_recording(self, shards: int) -> None:
        self.shards = {f"shard-{number}": [] for number in range(shards)}
        self.clock = _START
        self._sequence = 99_999_999_999_999_999_990  # grows by a digit while the tests run, as real ones do

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        if not self.statements or len(replacements) == 1:
            return super().replace_many(replacements)  # as puts, which are recorded one by one
        before = self.get_many([key_of(each.item) for each in replacements], consistent=True)
        found = super().replace_many(replacements)
        for each, reply in zip(replacements, found, strict=True):
            if reply is Reply.TAKEN:
                self._record(before.get(key_of(each.item)), each.item)
        return found

    def put_many(self, items: Sequence[Item]) -> None:
        before = self.get_many([key_of(item) for item in items], consistent=True)
        super().put_many(items)
        for item in items:
            self._record(before.get(key_of(item)), item)

    def write(self, write: Write) -> None:
        before = self.get(target(write))
        super().write(write)
        self._record(before, _after(write, before))

    def transact(self, actions: Sequence[Action]) -> None:
        before = [self.get(target(action)) for action in actions]
        super().transact(actions)
        for action, item in zip(actions, before, strict=True):
            self._record(item, _after(action, item))

    def delete(self, key: Key, *, expired: bool = False) -> None:
        """Remove an item, by hand or by its time to live."""
        before = self.get(key)
        self.remove(key)
        self._record(before, None, expired)

    def remove(self, key: Key) -> None:
        self.client.delete_item(TableName=self.name, Key={"PK": {"S": key.pk}, "SK": {"S": key.sk}})

    def all_items(self) -> list[Item]:
        """Everything in the table."""
        pages = self.client.get_paginator("scan").paginate(TableName=self.name)
        return [cast(Item, item) for page in pages for item in page["Items"]]

    def _record(self, old: Item | None, new: Item | None, expired: bool = False) -> None:
        if old == new:
            return  # as in DynamoDB, a write that changes nothing leaves no record
        self._sequence += 1
        record = make_record(_SOURCE, old, new, self._sequence, self.clock, expired)
        shards = list(self.shards)
        digest = hashlib.sha256(" ".join(key_of(new or old or {})).encode()).digest()
        self.shards[shards[digest[0] % len(shards)]].append(record.form)


class StreamedTable(Recording, Table):
    """A table on an engine, recorded."""

    def __init__(self, name: str, client: Any, shards: int = 1) -> None:
        super().__init__(name, client)
        self.start_recording(shards)


class StreamedMemory(Recording, MemoryTable):
    """The table in memory, recorded."""

    def __init__(self, shards: int = 1) -> None:
        super().__init__()
        self.start_recording(shards)

    def remove(self, key: Key) -> None:
        MemoryTable.remove(self, key)

    def all_items(self) -> list[Item]:
        return list(self.items.values())


def _after(action: Action, before: Item | None) -> Item | None:
    if isinstance(action, Put):
        return action.item
    return None if isinstance(action, Delete) else before


def window_event(shard: str, records: Sequence[Any], *, ends: bool = True) -> dict[str, Any]:
    """The event of some records of a shard, with which their window ends, or in its midst."""
    return delivery.window_event(f"shardId-{shard}", records) | {"isFinalInvokeForWindow": ends}
