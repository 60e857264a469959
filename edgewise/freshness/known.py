"""What is known of all shards, and until when aggregates hold every change."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.pages import every
from edgewise.dynamodb.table import Table
from edgewise.failures import PoisonError, sorted_out
from edgewise.freshness import keys
from edgewise.freshness.hops import Hop, Hops
from edgewise.freshness.shards import NO_PARENT, Shards, shards
from edgewise.freshness.watermarks import Reached, Watermark, watermark
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


def _course(history: Sequence[Reached], hop: Hop) -> _Course:
    return _Course([each.at for each in history], list(accumulate((each[hop] for each in history), max)))


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
        return {hop: [_course(history, hop) for history in histories] for hop in Hop}

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
