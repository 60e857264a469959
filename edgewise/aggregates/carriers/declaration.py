"""The declaration that all shards feed the same aggregates."""

from collections.abc import Mapping, Set

from edgewise.aggregates.continuations.declaration import is_unbounded
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.open_hours.declaration import Closings
from edgewise.aggregates.parts import Part
from edgewise.aggregates.recounts.declaration import Extremal


class Shared(Part):
    """Items of many partitions, and so of all shards, feed the same aggregate, which learns of them by carriers.

    (edgewise/aggregates/carriers/carrying.py.) Only for counts and sums. It can't be changed while sources are stored.
    """

    shared = True
    costs = "a batch brings its changes by a carrier, which costs a unit; one shard absorbs what carriers bring"

    def fault(self, kind: Kind, _kinds: Mapping[str, Kind], sources: Set[str]) -> str:
        """What a carrier can't bring, and what it must not bring further."""
        closings = any(isinstance(feed.source, Closings) for feed in kind.feeds)
        if kind.part(Extremal) or is_unbounded(kind) or closings:
            return "is fed by all shards: it must only count and add up, in one item"
        return "is fed by all shards: it can't feed other aggregates" if kind.name in sources else ""
