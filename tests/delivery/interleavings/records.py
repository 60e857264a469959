"""What stands in the shards: the records of scripted changes, and of what programs write, if it is sent to a reader."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from delivery import Record, make_record
from delivery import Source as StreamSource
from delivery.filters import compile_pattern
from edgewise.aggregates.rankings.codec import REFILLING
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.times import HOUR, SECOND, Millis
from functions.catalog import CATALOG
from tests.delivery.interleavings.tables import Numbered
from tests.delivery.simulated import MAPPING

EPOCH: Millis = 1_535_544_000_000
# The stream's second reader. In the model it has one shard: whatever asks for the refill of a ranking, in its order.
CASCADE = "cascade"
FIRST_SEQUENCE = 100
_STREAM = StreamSource()
_TO_CONSUMER = tuple(map(compile_pattern, MAPPING.filters))
_TO_CASCADE = (compile_pattern({"dynamodb": {"NewImage": {REFILLING: {"S": [{"exists": True}]}}}}),)


class Written(NamedTuple):
    """A record: its shard, its place there, the hour in which it was written, and the item before and after."""

    shard: str
    place: int
    hour: int
    old: Item | None
    new: Item | None


class Images(NamedTuple):
    """A change of an item, and the shard that gets its record."""

    shard: str
    old: Item | None
    new: Item | None


class Records:
    """The records met so far, by number."""

    def __init__(self) -> None:
        self._numbered = Numbered[Written]()
        self.all = self._numbered.all
        self._made = cache(self._make)

    def number(self, written: Written) -> int:
        """The number of a record."""
        return self._numbered.number(written, repr(written))

    def form(self, number: int) -> Any:
        """A record as Lambda hands it to a function."""
        return self._made(number).form

    def _make(self, number: int) -> Record:
        _, place, hour, old, new = self.all[number]
        return make_record(_STREAM, old, new, FIRST_SEQUENCE + place, (EPOCH + hour * HOUR) / SECOND)


def sent(key: Key, old: Item | None, new: Item | None, shard: str | None) -> Iterator[Images]:
    """What readers are sent of a change that a program made; `shard` is that of the item, None if nobody reads it."""
    item = new or old
    if item is None or old == new:  # a write that changes nothing leaves no record
        return
    form = {"dynamodb": {name: image for name, image in (("OldImage", old), ("NewImage", new)) if image}}
    if any(matches(form) for matches in _TO_CONSUMER):
        assert shard or item["Type"]["S"] not in CATALOG.source_types, f"{key} feeds others, and has no shard"
        if shard:
            yield Images(shard, old, new)
    if any(matches(form) for matches in _TO_CASCADE):
        yield Images(CASCADE, old, new)
