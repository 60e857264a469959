"""A table whose changes are recorded as DynamoDB Streams would: by lane, in order, with both images."""

import hashlib
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, cast

from functions.store.attributes import Item
from functions.store.keys import Key
from functions.store.table import Table
from functions.store.writes import Action, Delete, Put, Write
from tests.support.memory import MemoryTable, key_of, target

TIME_TO_LIVE = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}


class Recording(Table):
    """Writes go to the engine beneath and, if they change anything, to `lanes` as stream records.

    Partition keys are spread over the lanes. `clock` is the time of the next records, in epoch seconds.
    """

    lanes: dict[str, list[dict[str, Any]]]
    clock: float
    _sequence: int

    def start_recording(self, shards: int) -> None:
        self.lanes = {f"shard-{number}": [] for number in range(shards)}
        self.clock = 1_535_544_000.0
        self._sequence = 99_999_999_999_999_999_990  # grows by a digit while the tests run, as real ones do

    def put_many(self, items: Sequence[Item]) -> None:
        before = self.get_many([key_of(item) for item in items])
        super().put_many(items)
        for item in items:
            self._record(before.get(key_of(item)), item)

    def delete_many(self, unwanted: Sequence[Key]) -> None:
        before = self.get_many(unwanted)
        super().delete_many(unwanted)
        for item in before.values():
            self._record(item, None)

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
        some = new or old
        assert some is not None
        self._sequence += 1
        name = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
        images = {name: deepcopy(image) for name, image in (("OldImage", old), ("NewImage", new)) if image is not None}
        record: dict[str, Any] = {
            "eventID": f"{self._sequence:x}",
            "eventName": name,
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": "us-east-1",
            "dynamodb": {
                "ApproximateCreationDateTime": self.clock,
                "Keys": {"PK": some["PK"], "SK": some["SK"]},
                "SequenceNumber": str(self._sequence),
                "SizeBytes": 100,
                "StreamViewType": "NEW_AND_OLD_IMAGES",
                **images,
            },
        }
        if expired:
            record["userIdentity"] = TIME_TO_LIVE
        lanes = list(self.lanes)
        digest = hashlib.sha256(some["PK"]["S"].encode()).digest()
        self.lanes[lanes[digest[0] % len(lanes)]].append(record)


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


def window_event(lane: str, records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The event of a mapping with a tumbling window."""
    return {
        "Records": list(records),
        "shardId": f"shardId-{lane}",
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:123456789012:table/Edgewise/stream/2026-11-01T00:00:00.000",
        "window": {"start": "2026-11-01T00:00:00Z", "end": "2026-11-01T00:01:00Z"},
        "state": {},
        "isFinalInvokeForWindow": False,
        "isWindowTerminatedEarly": False,
    }
