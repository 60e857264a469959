"""Slots: sums that stand between many lanes and the one aggregate that all of them feed.

Each slot has the marks of some of the lanes, and is a source of the aggregate. So an aggregate is one item to its
readers, however many lanes there are, and no item has the marks of all.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self
from zlib import crc32

from functions.times import EARLIEST, SECOND, Millis, millis, parse_instant, rfc_3339

MAX_SLOTS = 64
# No invocation that runs when a step is stored has a record of a time so late: all go by the same history.
LEAD = 60 * SECOND
# Of a deployment the old and the new release run beside each other for a while: they must not take turns.
COOL_DOWN = 10 * 60 * SECOND


class Step(NamedTuple):
    """From this instant on, an aggregate has so many slots; with one, lanes feed it directly."""

    since: Millis
    slots: int


@dataclass(frozen=True)
class Slots:
    """How many slots the aggregates that are fed from many partitions have had, and since when.

    A record's slot follows from its lane and its own time by this history alone. So a record that is delivered again,
    or redriven, finds the slot that it went to before, however often the number has been changed in between.
    """

    steps: tuple[Step, ...] = (Step(EARLIEST, 1),)

    @classmethod
    def parse(cls, text: str) -> Self:
        """`1`, or with later steps `1,4@2026-12-01T00:00:00Z`; raises ValueError that says why not."""
        first, *later = text.split(",")
        steps = [Step(EARLIEST, number_of_slots(first))]
        for step in later:
            slots, _, since = step.partition("@")
            steps.append(Step(millis(parse_instant(since)), number_of_slots(slots)))
            if steps[-1].since <= steps[-2].since:
                raise ValueError(f"{since} must be later than the step before")
        return cls(tuple(steps))

    def __str__(self) -> str:
        first, *later = self.steps
        return ",".join([str(first.slots), *(f"{step.slots}@{rfc_3339(step.since)}" for step in later)])

    def extended(self, wanted: int, now: Millis) -> "Slots":
        """The history that goes on with so many slots, from a little later on; itself if they are that many already.

        It also stays as it is for a while after its last step.
        """
        last = self.steps[-1]
        if wanted == last.slots or now < last.since + COOL_DOWN:
            return self
        return Slots((*self.steps, Step(now + LEAD, wanted)))

    def slot_of(self, lane: str, at: Millis) -> int | None:
        """The slot that takes a lane's record of this time; None if the aggregate itself does."""
        slots = next(step.slots for step in reversed(self.steps) if step.since <= at)
        return crc32(lane.encode()) % slots if slots > 1 else None


NO_SLOTS = Slots()


def number_of_slots(text: str) -> int:
    """A number of slots that a deployment may ask for; raises ValueError that says why not."""
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= MAX_SLOTS:
        raise ValueError(f"{text!r} must be a number of slots from 1 to {MAX_SLOTS}")
    return int(text)
