"""Partial aggregates: partial sums between many shards and the one aggregate that all of them feed.

Each partial aggregate has the checkpoints of some of the shards, and is a source of the aggregate. So an aggregate is
one item to its readers, however many shards there are, and no item has the checkpoints of all shards.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self
from zlib import crc32

from functions.times import EARLIEST, SECOND, Millis, millis, parse_instant, rfc_3339

MAX_PARTIALS = 64
# A step takes effect this much later than it is stored: no invocation already running has a record from after that
# time, so all invocations apply the same history.
LEAD = 60 * SECOND
# During a deployment the old and the new release run side by side: they must not change the number back and forth.
COOL_DOWN = 10 * 60 * SECOND


class PartialCount(NamedTuple):
    """The number of partial aggregates of an aggregate from this instant on; if 1, shards feed it directly."""

    since: Millis
    partials: int


@dataclass(frozen=True)
class Partials:
    """How many partial aggregates an aggregate fed from many partitions has had, and since when.

    A record's shard and time, with this history, determine its partial aggregate. So a record that is delivered again,
    or redriven, goes to the same partial aggregate as before, however often the number has changed in between.
    """

    steps: tuple[PartialCount, ...] = (PartialCount(EARLIEST, 1),)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `1`, or with later steps `1,4@2026-12-01T00:00:00Z`; raises ValueError, which says what is wrong."""
        first, *later = text.split(",")
        steps = [PartialCount(EARLIEST, number_of_partials(first))]
        for step in later:
            partials, _, since = step.partition("@")
            steps.append(PartialCount(millis(parse_instant(since)), number_of_partials(partials)))
            if steps[-1].since <= steps[-2].since:
                raise ValueError(f"{since} must be later than the step before")
        return cls(tuple(steps))

    def __str__(self) -> str:
        first, *later = self.steps
        return ",".join([str(first.partials), *(f"{step.partials}@{rfc_3339(step.since)}" for step in later)])

    @property
    def most(self) -> int:
        """The greatest number of partial aggregates there has been."""
        return max(step.partials for step in self.steps)

    def extended(self, wanted: int, now: Millis) -> "Partials":
        """The history with one more step to the wanted number, LEAD from now; unchanged if that is the number already.

        It is also unchanged during COOL_DOWN after its last step.
        """
        last = self.steps[-1]
        if wanted == last.partials or now < last.since + COOL_DOWN:
            return self
        return Partials((*self.steps, PartialCount(now + LEAD, wanted)))

    def partial_of(self, shard: str, at: Millis) -> int | None:
        """The partial aggregate for a shard's record of this time, by number; None: the aggregate takes it itself."""
        partials = next(step.partials for step in reversed(self.steps) if step.since <= at)
        return crc32(shard.encode()) % partials if partials > 1 else None


NO_PARTIALS = Partials()


def number_of_partials(text: str) -> int:
    """A number of partial aggregates that a deployment may ask for; raises ValueError, which says what is wrong."""
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MAX_PARTIALS:
        raise ValueError(f"{text!r} must be a number of partial aggregates from 1 to {MAX_PARTIALS}")
    return int(text)
