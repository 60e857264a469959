"""The table of a run: in memory, with a stream, and what strikes the consumer as if it were the real one."""

from collections.abc import Mapping
from typing import Any

from delivery import KilledError, Stream
from edgewise import Item
from edgewise.dynamodb.attributes import integer, key_of, n
from functions.faults.breaking import BreakableTable
from functions.replay.memory import MemoryTable


class BreakableMemory(BreakableTable, MemoryTable):
    """In memory; a process dies as in the simulator."""

    def die(self) -> object:
        """End the invocation, and nothing else."""
        raise KilledError

    def add(self, addition: Mapping[str, Any]) -> None:
        """What an UpdateItem that adds does (breaking.addition)."""
        key, values = key_of(addition["Key"]), addition["ExpressionAttributeValues"]
        before = integer(self.items.get(key, {}).get("Sum", n(0)))
        sums = {"Type": values[":type"], "Sum": n(before + integer(values[":amount"]))}
        self.put_many([{**addition["Key"], **sums}])


class RunTable(BreakableMemory):
    """The same, with a stream that tells of each change."""

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self.statements, self._stream = True, stream

    def changed(self, before: Item | None, after: Item | None) -> None:
        """Record a change."""
        self._stream.record(before, after)
