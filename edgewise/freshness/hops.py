"""The ways of a change to an aggregate, hop by hop: each has to be complete before the next one can be."""

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from itertools import chain

from edgewise.aggregates.feeds import Feed
from edgewise.aggregates.kinds import Kind
from edgewise.times import SECOND, Millis

# How far apart heartbeats are; and how long a change takes for a hop, with what a watermark can't tell.
HEARTBEAT: Millis = 10 * SECOND
HOP: Millis = 10 * SECOND
# How much longer carriers may take: a window, and their wait for each other.
CARRIERS: Millis = 60 * SECOND


class Hop(Enum):
    """What must have happened to the records of a shard."""

    ABSORBED = "absorbed"
    CARRIED = "carried"
    BROUGHT = "brought"
    FOLLOWED = "followed"


Hops = tuple[Hop, ...]
Ways = frozenset[Hops]


@cache
def ways(kind: Kind) -> Ways:
    """The ways of people's changes to the stored aggregates of a kind, but for those that are a part of another."""
    written = (Hop.CARRIED, Hop.BROUGHT) if kind.shared else (Hop.ABSORBED,)
    again = (Hop.FOLLOWED, *written) * kind.rounds
    # Only what people write may be open, so a closing is one hop away from that.
    closing: list[Hops] = [(Hop.ABSORBED,)] if kind.opened_in else []
    found = {(*below, *written, *again) for below in (*closing, *chain.from_iterable(map(_below, kind.feeds)))}
    return frozenset(way for way in found if not any(_is_part(way, other) for other in found - {way}))


def to_all(kinds: Iterable[Kind]) -> Ways:
    """The ways to any of these kinds."""
    return frozenset(way for kind in kinds for way in ways(kind))


def promised(found: Ways) -> Millis:
    """How old numbers may be that come on these ways; older ones are behind."""
    return max(HEARTBEAT + HOP * len(way) + (CARRIERS if Hop.CARRIED in way else 0) for way in found)


def _below(feed: Feed) -> Iterator[Hops]:
    """The ways to the items of a feed."""
    if feed.source.kind:
        yield from ways(feed.source.kind)
    else:
        yield (Hop.FOLLOWED,) * feed.follow_ups


def _is_part(way: Hops, other: Hops) -> bool:
    """Whether all hops of a way are in another one, in their order: whoever has taken that has taken this too."""
    left = iter(other)
    return all(hop in left for hop in way)
