"""Partial aggregates: sums that stand between many shards and the one aggregate that all of them feed.

Each partial aggregate has the checkpoints of some of the shards, and is a source of the aggregate. So an aggregate is
one item to its readers, however many shards there are, and no item has the checkpoints of all.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self
from zlib import crc32

from functions.times import EARLIEST, SECOND, Millis, millis, parse_instant, rfc_3339

MAX_PARTIALS = 64
# No invocation that runs when a step is stored has a record of a time so late: all go by the same history.
LEAD = 60 * SECOND
# Of a deployment the old and the new release run beside each other for a while: they must not take turns.
COOL_DOWN = 10 * 60 * SECOND


class PartialCount(NamedTuple):
    """From this instant on, an aggregate has so many partial ones; with one, shards feed it directly."""

    since: Millis
    partials: int


@dataclass(frozen=True)
class Partials:
    """How many partial aggregates stand before what is fed from many partitions, and since when.

    A record's partial aggregate follows from its shard and its own time by this history alone. So a record that is
    delivered again, or redriven, finds the partial aggregate that it went to before, however often the number has been
    changed in between.
    """

    steps: tuple[PartialCount, ...] = (PartialCount(EARLIEST, 1),)

    @classmethod
    def parse(cls, text: str) -> Self:
        """`1`, or with later steps `1,4@2026-12-01T00:00:00Z`; raises ValueError that says why not."""
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
        """The history that goes on with so many of them, from a little later on; itself if they are that many already.

        It also stays as it is for a while after its last step.
        """
        last = self.steps[-1]
        if wanted == last.partials or now < last.since + COOL_DOWN:
            return self
        return Partials((*self.steps, PartialCount(now + LEAD, wanted)))

    def partial_of(self, shard: str, at: Millis) -> int | None:
        """The partial aggregate that takes a shard's record of this time; None if the aggregate itself does."""
        partials = next(step.partials for step in reversed(self.steps) if step.since <= at)
        return crc32(shard.encode()) % partials if partials > 1 else None


NO_PARTIALS = Partials()


def number_of_partials(text: str) -> int:
    """A number of partial aggregates that a deployment may ask for; raises ValueError that says why not."""
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MAX_PARTIALS:
        raise ValueError(f"{text!r} must be a number of partial aggregates from 1 to {MAX_PARTIALS}")
    return int(text)
