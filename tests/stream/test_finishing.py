"""How far the follow-ups are, while a redrive takes one up that was set aside."""

from typing import Any

from edgewise.dynamodb.keys import Key
from edgewise.freshness import unfinished
from edgewise.stream import finishing
from edgewise.stream.follow_ups import SHARD
from edgewise.stream.register import change
from functions.replay.memory import MemoryTable

BEGUN, SEQUENCE = 1_535_544_000_000, f"{7:040}"


class RedrivenBetween(MemoryTable):
    """A redrive begins a long follow-up, and takes its record out of quarantine, before the second read."""

    reads = 0

    def get(self, key: Key) -> Any:
        self._redrive()
        return super().get(key)

    def query(self, query: Any) -> Any:
        self._redrive()
        return super().query(query)

    def _redrive(self) -> None:
        self.reads += 1
        if self.reads == 2:
            self.transact([unfinished.noted(BEGUN, Key("NODE#hub", "PASS"))])
            change(self, lambda known: known.without(SHARD, SEQUENCE))


def test_what_is_redriven_meanwhile_is_known_to_be_unfinished() -> None:
    table = RedrivenBetween()
    table.reads = 10
    change(table, lambda known: known.with_records(SHARD, [SEQUENCE]))
    table.reads = 0
    assert finishing._unfinished_since(table) is not None
