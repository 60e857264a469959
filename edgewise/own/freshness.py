"""Until when the totals of somebody's own table hold every change, where it has heartbeats.

What the engine writes for a total itself, the edges of `distinct` and the carriers of totals that many shards feed,
comes back by the stream before the total has it. A total does not tell what is still on its way; heartbeats do: each
minute one is written for each shard of the stream, and all that was stored before it is absorbed before it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from edgewise import clock
from edgewise.aggregates.kinds import Kind
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Delete
from edgewise.freshness import heartbeats, hops, keys
from edgewise.freshness.known import Known, read
from edgewise.times import Millis, from_millis


@dataclass(frozen=True)
class Freshness:
    """How far the reader of the stream had come when somebody looked. Totals that are read after that are no older."""

    known: Known
    seen: Millis

    def as_of(self, kind: Kind) -> datetime | None:
        """Until when totals hold every change, in UTC; None: nobody can tell, as without heartbeats."""
        found = self.known.as_of(hops.ways(kind), self.seen)
        return None if found is None else from_millis(found)


def freshness_of(table: Table) -> Freshness:
    """How far the reader of the stream has come, for totals that are read after this: one query, half a unit or one."""
    seen = clock.now()
    return Freshness(read(table), seen)


def beat(table: Table, look: Callable[[], Mapping[str, str]]) -> int:
    """Survey the shards, and send a heartbeat to each; returns how many were sent.

    `look` gives the open shards with their parents. Names that no shard needs any more are removed.
    """
    before = read(table).shards.heartbeats
    found = heartbeats.survey(table, look)
    for name in {*before} - {*found.shards.heartbeats}:
        table.write(Delete(keys.heartbeat(name)))
    heartbeats.beat_singly(table, found)
    return len(found.shards.heartbeats)
