"""Until when the rows of somebody's own table hold every change, where it has heartbeats.

What the engine writes for a row itself, entries, the edges of `distinct` and the carriers of rows that many shards
feed, comes back by the stream before the row has it. A row does not tell what is still on its way; heartbeats do: each
minute one is written for each shard of the stream, and all that was stored before it is absorbed before it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from edgewise import clock
from edgewise.aggregates import doubts
from edgewise.aggregates.doubts import Told
from edgewise.aggregates.kinds import Kind
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Delete
from edgewise.freshness import heartbeats, hops, keys
from edgewise.freshness.known import Known, read
from edgewise.times import Millis, from_millis, millis


@dataclass(frozen=True)
class Freshness:
    """How far the reader of the stream had come when somebody looked. Rows that are read after that are no older."""

    known: Known
    seen: Millis

    def as_of(self, kind: Kind) -> datetime | None:
        """Until when rows hold every change, in UTC; None: nobody can tell, as without heartbeats."""
        found = self.known.as_of(hops.ways(kind), self.seen)
        return None if found is None else from_millis(found)


def freshness_of(table: Table) -> Freshness:
    """How far the reader of the stream has come, for rows that are read after this: one query, half a unit or one."""
    seen = clock.now()
    return Freshness(read(table), seen)


def as_of(kind: Kind, fresh: Freshness | None, told: Told) -> datetime | None:
    """Until when aggregates of a kind hold every change; None: nobody can tell.

    A record that was set aside goes its way when it is applied, behind others. So nobody can tell before heartbeats
    that were sent after the last change of doubts have gone it, too.
    """
    found = fresh.as_of(kind) if fresh else None
    return None if found is None or millis(found) < told.changed.at + doubts.SKEW else found


def is_all_in(
    until: datetime | None, fresh: Freshness | None, told: Told, *, direct: bool, fed_by_engine: bool
) -> bool:
    """Whether aggregates hold all that the engine itself has written for them, as far as somebody can tell.

    `until`: what `as_of` told. `direct`: what people write changes them, and nothing in between; `fed_by_engine`: they
    are fed by what the engine keeps, not only by carriers.
    """
    if until is not None or direct:
        return True
    return not (fed_by_engine or fresh or told.changed.is_recent(clock.now()))


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
