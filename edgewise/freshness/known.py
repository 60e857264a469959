"""What is known of all shards, and until when aggregates hold every change."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple, Self

from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.pages import every
from edgewise.dynamodb.table import Table
from edgewise.failures import PoisonError, sorted_out
from edgewise.freshness import keys
from edgewise.freshness.followed import FollowedUp, followed_up
from edgewise.freshness.hops import Hop, Hops
from edgewise.freshness.shards import NO_PARENT, Shards, shards
from edgewise.freshness.watermarks import Followed, Reached, Watermark, watermark
from edgewise.times import SECOND, Millis

# How far the clocks of two functions may be apart. Amazon's are within a few milliseconds of each other.
SKEW: Millis = SECOND // 10


class _Course(NamedTuple):
    """How far a shard had come on one hop, by moment."""

    moments: Sequence[Millis]
    reached: Sequence[Millis]

    def until(self, moment: Millis) -> Millis | None:
        """How far it had come at a moment; None if it had not told anything yet."""
        place = bisect_right(self.moments, moment)
        return self.reached[place - 1] if place else None

    @classmethod
    def of(cls, told: Iterable[tuple[Millis, Millis]]) -> Self:
        """The course of which these moments tell, in any order, each with an instant."""
        history = sorted(told)
        return cls([at for at, _ in history], list(accumulate((instant for _, instant in history), max)))


@dataclass(frozen=True)
class Known:
    """The register of shards, the watermarks by shard, and how far follow-ups are by heartbeat."""

    shards: Shards = field(default_factory=Shards)
    watermarks: Mapping[str, Watermark] = field(default_factory=dict)
    followed: Mapping[str, FollowedUp] = field(default_factory=dict)

    @property
    def is_told(self) -> bool:
        """Whether the shards are known at all: they are, once heartbeats have begun."""
        return bool(self.shards.parents)

    def as_of(self, ways: Collection[Hops], seen: Millis) -> Millis | None:
        """The instant until which aggregates that are these ways from people's changes hold all of these."""
        found = [each for way in ways if (each := self._as_of(way, seen)) is not None]
        return min(found) if found and len(found) == len(ways) else None

    def _as_of(self, way: Hops, seen: Millis) -> Millis | None:
        """The same for one way.

        Whoever asks must see all that was written until `seen`.
        A hop is complete until the earliest instant that its shards have reached. All that it wrote was written before
        these told so. The hop behind it must then be complete until that moment. None: a shard does not tell, or
        none is known.
        """
        until = seen
        for hop in reversed(way):
            reached = [course.until(until) for course in self._courses[hop]]
            told = [each for each in reached if each is not None]
            if not told or len(told) < len(reached):
                return None
            until = min(told) - SKEW
        return until + SKEW

    @cached_property
    def _courses(self) -> Mapping[Hop, Sequence[_Course]]:
        """The course of each shard, by hop: made once, while what is known serves many requests."""
        histories = [self._history(shard) for shard in self.shards.parents]
        absorbed, carried, brought = (
            [_Course.of((moment.at, moment[place]) for moment in history) for history in histories]
            for place in (1, 2, 3)
        )
        followed = [_Course.of(self._followed(shard)) for shard in self.shards.parents]
        return {Hop.ABSORBED: absorbed, Hop.CARRIED: carried, Hop.BROUGHT: brought, Hop.FOLLOWED: followed}

    def _history(self, shard: str) -> Sequence[Reached]:
        """What a shard has reached, and before it, its parent: it begins where all of that is done."""
        own = self.watermarks[shard].history if shard in self.watermarks else ()
        parent = self.watermarks.get(self.shards.parents.get(shard, NO_PARENT))
        begins = own[0].at if own else None
        return (*(each for each in (parent.history if parent else ()) if begins is None or each.at < begins), *own)

    def _followed(self, shard: str) -> Iterator[Followed]:
        """How far the follow-ups in a shard are, and in its parent; in none further than the consumer is.

        Once a shard has ended, its heartbeat goes on in one of its children. What it tells then is nothing that another
        child could inherit, or one that nobody knows of. But all of their changes are later than the shard's last.
        """
        for each in (shard, self.shards.parents.get(shard, NO_PARENT)):
            if mark := self.watermarks.get(each):
                absorbed = max(moment.absorbed for moment in mark.history)
                told = (self.followed[name].history for name in mark.heartbeats if name in self.followed)
                yield from (Followed(at, min(until, absorbed)) for at, until in chain.from_iterable(told))


def read(table: Table, *, consistent: bool = False) -> Known:
    """What is stored. What is read a little late says a little less, and nothing wrong.

    So does what can't be understood, as of another release: it is passed over.
    """
    register, found, followed = Shards(), dict[str, Watermark](), dict[str, FollowedUp]()
    for item in chain.from_iterable(page.items for page in every(table, replace(keys.ALL, consistent=consistent))):
        with suppress(PoisonError), sorted_out():
            match string(item["Type"]):
                case keys.SHARDS:
                    register = shards(item)
                case keys.FOLLOWED:
                    follow_ups = followed_up(item)
                    followed[follow_ups.name] = follow_ups
                case _:
                    each = watermark(item)
                    found[each.shard] = each
    return Known(register, found, followed)
