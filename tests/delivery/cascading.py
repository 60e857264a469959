"""A table whose indexes lag behind, and whose stream is delivered to the cascade."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from delivery import HOSTILE, Mapping
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from functions.catalog import FOLLOW_UPS
from functions.handlers import cascade
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.terse import terse

# As in infra, but for the number of records.
_WANTED = {"Type": {"S": [{"anything-but": list(FOLLOW_UPS.undelivered_types)}]}}
_GONE = {"Type": {"S": list(FOLLOW_UPS.types_that_go)}}
MAPPING = Mapping(batch_size=4, filters=[{"dynamodb": {"NewImage": _WANTED}}, {"dynamodb": {"OldImage": _GONE}}])


class LaggingMemory(SimulatedMemory):
    """A table whose indexes, and reads that are eventually consistent, show what it held when they last caught up."""

    mapping = MAPPING

    faults = replace(HOSTILE, rewind=5)  # records come again, but not all of this short stream

    def __init__(self, shards: int = 4) -> None:
        super().__init__(shards)
        self.catch_up()

    def catch_up(self) -> None:
        self.shown = dict(self.items)  # items are replaced, never changed

    def query(self, query: Query) -> Page:
        with self._seen(consistent=query.consistent):
            return super().query(query)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        with self._seen(consistent=consistent):
            return super().get_many(wanted)

    @contextmanager
    def _seen(self, *, consistent: bool) -> Iterator[None]:
        """Read what was last shown; `patch` would take longer than the read."""
        now = self.items
        self.items = now if consistent else self.shown
        try:
            yield
        finally:
            self.items = now

    def follow_up(self, event: dict[str, Any], context: Any) -> None:
        """One delivery to the cascade."""
        with patch.object(cascade, "table", lambda: self), terse():
            cascade.handler(event, context)
