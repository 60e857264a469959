"""A table whose indexes lag behind, and whose stream is delivered to the cascade."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from delivery import Mapping
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from functions.catalog import FOLLOW_UPS
from functions.handlers import cascade
from tests.delivery.simulated import HOSTILE, SimulatedMemory

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
        self.shown = deepcopy(self.items)

    def catch_up(self) -> None:
        self.shown = deepcopy(self.items)

    def query(self, query: Query) -> Page:
        if query.consistent:
            return super().query(query)
        with patch.object(self, "items", self.shown):
            return super().query(query)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        if consistent:
            return super().get_many(wanted)
        with patch.object(self, "items", self.shown):
            return super().get_many(wanted)

    def follow_up(self, event: dict[str, Any], context: Any) -> None:
        """One delivery to the cascade."""
        with patch.object(cascade, "table", lambda: self):
            cascade.handler(event, context)
