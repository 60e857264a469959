"""The DynamoDB stream that a table would have, recorded from the requests that write to it.

The engine's own Streams API returns the same records, but the more records there are, the longer DynamoDB Local takes
for every write to a table with a stream.
"""

import itertools
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import delivery
from benchmarks import statements
from delivery import Source, make_record
from edgewise.aggregates.carriers.carrying import CARRIES
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from functions.catalog import CATALOG

Record = dict[str, Any]
# Now: the consumer skips records older than any stream keeps.
AT = float(int(time.time()))
SHARD = f"shardId-{int(AT) * 1000:020}-1a2b3c4d"
_SOURCE = Source()
_FIRST_SEQUENCE = 111_100_000_000_014_281_012_345
# All streams name the same shard, and in a shard numbers only grow.
_SEQUENCE = itertools.count(_FIRST_SEQUENCE)


class RecordedStream:
    """Everything written to a table, in order, by shard, if the mapping's filter lets it through.

    Only whole items are written in this project, so an item's old image is what was written before. `at` is the time of
    what is written, in epoch seconds.
    """

    def __init__(self, table: Table, shards: int = 1, at: float = AT) -> None:
        self.at = at
        self._table = table
        self._pending = [deque[tuple[int, Item | None, Item, float]]() for _ in range(shards)]
        self._answered: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._images: dict[tuple[str, str], Item] = {}
        self._lock = threading.Lock()

    def watch(self, client: Any) -> None:
        """Record the items that this client puts, or writes by statements."""
        for operation in ("PutItem", statements.OPERATION):
            client.meta.events.register(f"provide-client-params.dynamodb.{operation}", self._before)
            client.meta.events.register(f"after-call.dynamodb.{operation}", self._after)

    def hear(self, params: dict[str, Any], parsed: dict[str, Any]) -> None:
        """Record the items that a request wrote, by its parameters and its answer."""
        with self._lock:
            self._answered.append((params, parsed))

    def write(self, items: Sequence[Item]) -> None:
        """Put source items into the table."""
        self._settle()
        self._table.put_many(items)
        for item in items:
            self._record(item)

    def __len__(self) -> int:
        self._settle()
        return sum(map(len, self._pending))

    def take(self, size: int, shard: int = 0) -> list[Record]:
        """The next records of a shard, up to `size`; fewer only at the end of the stream."""
        self._settle()
        pending = self._pending[shard]
        return [_record(*pending.popleft()) for _ in range(min(size, len(pending)))]

    def _before(self, params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        context["params"] = params

    def _after(self, parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        self.hear(context["params"], parsed)

    def _settle(self) -> None:
        """Record what was written until now: only when it is asked for, outside measured time."""
        with self._lock:
            answered, self._answered = self._answered, []
        for params, parsed in answered:
            for item in statements.items_of(params, parsed):
                self._record(item)

    def _record(self, new: Item) -> None:
        kind = new["Type"]["S"]
        silent = kind not in CATALOG.source_types or (kind in CATALOG.senders and CLOSING not in new)
        if silent and CARRIES not in new:
            return
        key = new["PK"]["S"], new["SK"]["S"]
        old = self._images.get(key)
        self._images[key] = new
        pending = self._pending[crc32(key[0].encode()) % len(self._pending)]
        pending.append((next(_SEQUENCE), old, new, self.at))


def insertions(items: Sequence[Item]) -> list[Record]:
    """The stream records of new items."""
    return [_record(sequence, None, item) for sequence, item in enumerate(items, _FIRST_SEQUENCE)]


def source_type(record: Mapping[str, Any]) -> str:
    """The Type of the item that changed."""
    return str(record["dynamodb"]["NewImage"]["Type"]["S"])


def window_event(records: Sequence[Record], shard: str = SHARD) -> dict[str, Any]:
    """The event of some records of a shard that make up their whole window: nothing waits for a later batch."""
    return delivery.window_event(shard, records) | {"isFinalInvokeForWindow": True}


def _record(sequence: int, old: Item | None, new: Item, at: float = AT) -> Record:
    record: Record = make_record(_SOURCE, old, new, sequence, at).form
    return record
