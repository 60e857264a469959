"""Something that begins with one shard and gets more when its callers are refused, as in the API."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from benchmarks.partitions.traffic import Counts, Flow
from edgewise.sharding.sharding import COOL_DOWN, Sharding
from edgewise.times import SECOND, Millis

# How long DynamoDB takes to split a hot partition: not documented, assumed.
SPLIT_AFTER = 120


class Spread(Protocol):
    """The writes to one room or list, among others."""

    def flows(self, shards: int) -> Sequence[Flow]:
        """Its writes, spread over this many shards."""

    def play(self, hot: Sequence[Flow], seconds: int) -> Counts:
        """Simulate some more seconds; returns what has become of its writes since they began."""

    def split(self, seconds: int) -> int:
        """Split what was hot in the last seconds; returns how many partitions."""


@dataclass(frozen=True)
class Widened:
    """How many shards it has at the end, when its last write was throttled, whether throttling had ended by then, and
    what became of its writes.
    """

    shards: int
    seconds: int
    ended: bool
    counts: Counts


def widened(spread: Spread, sharding: Sharding, lead: Millis, seconds: int) -> Widened:
    """Simulate what begins with this history, and doubles its shards, `lead` later, when callers are refused."""
    hot, last, past, before = spread.flows(sharding.shards), 0, Counts(), Counts()
    for now in range(seconds):
        if now * SECOND == sharding.history[-1].since:
            past, before, hot = past + before, Counts(), spread.flows(sharding.shards)
        counts = spread.play(hot, 1)
        last = now if counts.throttled > before.throttled else last
        if counts.given_up > before.given_up:
            sharding = sharding.doubled(now * SECOND, now * SECOND + lead) or sharding
        if now % SPLIT_AFTER == SPLIT_AFTER - 1:
            spread.split(SPLIT_AFTER)
        before = counts
    return Widened(sharding.shards, last, last < seconds - COOL_DOWN // SECOND, past + before)
