"""Groups: which of the carriers takes what a shard changes in a shared aggregate.

One shard reads what all carriers of a group bring, and writes the aggregates of this group. A few shards need one group
only. When the carriers of a group bring too much for one reader, the consumer doubles the number of groups.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self
from zlib import crc32

from edgewise.aggregates.keys import AggregateId
from edgewise.times import EARLIEST, SECOND, Millis, millis, parse_instant, rfc_3339

MOST = 1024
# A step takes effect this much later than it is stored: no invocation already running has a record from after that
# time, so all invocations apply the same history.
LEAD = 60 * SECOND
# What the last step has changed shows after some windows; and the register must not change with each of them.
COOL_DOWN = 10 * 60 * SECOND


class Step(NamedTuple):
    """The number of groups from this instant on."""

    since: Millis
    number: int


@dataclass(frozen=True)
class Groups:
    """How many groups there have been, and since when.

    An aggregate and a record's time, with this history, determine the group. So a record that is delivered again, or
    redriven, goes to the same carrier as before, however often the number has changed in between.
    """

    steps: tuple[Step, ...] = (Step(EARLIEST, 1),)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `1`, or with later steps `1,4@2026-12-01T00:00:00Z`; raises ValueError, which says what is wrong."""
        first, *later = text.split(",")
        steps = [Step(EARLIEST, int(first))]
        for step in later:
            number, _, since = step.partition("@")
            steps.append(Step(millis(parse_instant(since)), int(number)))
        if steps != sorted(set(steps)) or not all(1 <= step.number <= MOST for step in steps):
            raise ValueError(f"{text!r} must name numbers from 1 to {MOST}, each from a later instant on")
        return cls(tuple(steps))

    def __str__(self) -> str:
        first, *later = self.steps
        return ",".join([str(first.number), *(f"{step.number}@{rfc_3339(step.since)}" for step in later)])

    @property
    def most(self) -> int:
        """The greatest number of groups there has been."""
        return self.steps[-1].number

    def doubled(self, now: Millis) -> "Groups":
        """The history with twice as many groups, LEAD from now; unchanged during COOL_DOWN after its last step."""
        last = self.steps[-1]
        if now < last.since + COOL_DOWN or 2 * last.number > MOST:
            return self
        return Groups((*self.steps, Step(now + LEAD, 2 * last.number)))

    def group_of(self, about: AggregateId, at: Millis) -> int:
        """The group whose carriers take a change of this aggregate by a record of this time."""
        number = next(step.number for step in reversed(self.steps) if step.since <= at)
        return _hash(about) % number if number > 1 else 0


# Several changes of a window have the same aggregate.
@lru_cache(maxsize=4096)
def _hash(about: AggregateId) -> int:
    return crc32(json.dumps(about.plain).encode())


ONE_GROUP = Groups()
