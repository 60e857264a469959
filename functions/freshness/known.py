"""What is known of all shards, and until when aggregates hold every change."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain

from functions.dynamodb.attributes import string
from functions.dynamodb.pages import every
from functions.dynamodb.table import Table
from functions.failures import PoisonError, sorted_out
from functions.freshness import keys
from functions.freshness.hops import Hops
from functions.freshness.shards import NO_PARENT, Shards, shards
from functions.freshness.watermarks import Reached, Watermark, watermark
from functions.times import SECOND, Millis

# How far the clocks of two functions may be apart. Amazon's are within a few milliseconds of each other.
SKEW: Millis = SECOND // 10


@dataclass(frozen=True)
class Known:
    """The register of shards, and the watermarks by shard."""

    shards: Shards = field(default_factory=Shards)
    watermarks: Mapping[str, Watermark] = field(default_factory=dict)

    @property
    def is_told(self) -> bool:
        """Whether the shards are known at all: they are, once heartbeats have begun."""
        return bool(self.shards.parents)

    def as_of(self, way: Hops, seen: Millis) -> Millis | None:
        """The instant until which aggregates that are this way from people's changes hold all of these.

        Whoever asks must see all that was written until `seen`.
        A hop is complete until the earliest instant that its shards have reached. All that it wrote was written before
        these told so. The hop behind it must then be complete until that moment. None: a shard does not tell, or
        none is known.
        """
        until, histories = seen, [self._history(shard) for shard in self.shards.parents]
        for hop in reversed(way):
            reached = [[each[hop] for each in history if each.at <= until] for history in histories]
            if not (reached and all(reached)):
                return None
            until = min(map(max, reached)) - SKEW
        return until + SKEW

    def _history(self, shard: str) -> Sequence[Reached]:
        """What a shard has reached, and before it, its parent: it begins where all of that is done."""
        own = self.watermarks[shard].history if shard in self.watermarks else ()
        parent = self.watermarks.get(self.shards.parents.get(shard, NO_PARENT))
        begins = own[0].at if own else None
        return (*(each for each in (parent.history if parent else ()) if begins is None or each.at < begins), *own)


def read(table: Table, *, consistent: bool = False) -> Known:
    """What is stored. What is read a little late says a little less, and nothing wrong.

    So does what can't be understood, as of another release: it is passed over.
    """
    register, found = Shards(), dict[str, Watermark]()
    for item in chain.from_iterable(page.items for page in every(table, replace(keys.ALL, consistent=consistent))):
        with suppress(PoisonError), sorted_out():
            if string(item["Type"]) == keys.SHARDS:
                register = shards(item)
            else:
                each = watermark(item)
                found[each.shard] = each
    return Known(register, found)
