"""The way of a change to an aggregate, hop by hop: each has to be complete before the next one can be."""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache

from edgewise.aggregates.kinds import Feed, Kind
from edgewise.aggregates.open_hours.declaration import Closings
from edgewise.times import SECOND, Millis

# How far apart heartbeats are; and how long a change takes for a hop, with what a watermark can't tell.
HEARTBEAT: Millis = 10 * SECOND
HOP: Millis = 10 * SECOND
# How much longer carriers may take: a window, and their wait for each other.
CARRIERS: Millis = 60 * SECOND


class Hop(IntEnum):
    """What must have happened to the records of a shard; the values are the places in watermarks.Reached."""

    ABSORBED = 1
    CARRIED = 2
    BROUGHT = 3


Hops = tuple[Hop, ...]


@cache
def hops(kind: Kind) -> Hops:
    """The longest way to the stored aggregates of a kind."""
    below = max(map(_below, kind.feeds), key=len, default=())
    return (*below, *((Hop.CARRIED, Hop.BROUGHT) if kind.is_shared else (Hop.ABSORBED,)))


def longest(kinds: Iterable[Kind]) -> Hops:
    """The longest way to any of these kinds."""
    return max(map(hops, kinds), key=promised)


def promised(way: Hops) -> Millis:
    """How old numbers may be that come on this way; older ones are behind."""
    return HEARTBEAT + HOP * len(way) + (CARRIERS if Hop.CARRIED in way else 0)


def _below(feed: Feed) -> Hops:
    """The way to the items of a feed. Only what people write may be open, so a closing is one hop away from that."""
    if isinstance(feed.source, Closings):
        return (Hop.ABSORBED,)
    return hops(feed.source.kind) if feed.source.kind else ()
