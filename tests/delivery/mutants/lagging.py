"""A table whose eventually consistent reads show it."""

from collections import deque
from collections.abc import Sequence
from unittest.mock import patch

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from tests.delivery.simulated import SimulatedMemory


class LaggingMemory(SimulatedMemory):
    """A read that does not ask for more is answered from the table as it was ten changes ago."""

    def __init__(self, shards: int) -> None:
        self._past: deque[dict[Key, Item]] = deque(maxlen=10)
        super().__init__(shards)

    def _record(self, old: Item | None, new: Item | None, expired: bool = False) -> None:
        super()._record(old, new, expired)
        self._past.append(dict(self.items))

    def query(self, query: Query) -> Page:
        if query.consistent or query.index or not self._past:
            return super().query(query)
        with patch.object(self, "items", self._past[0]):
            return super().query(query)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        if consistent or not self._past:
            return super().get_many(wanted)
        with patch.object(self, "items", self._past[0]):
            return super().get_many(wanted)
