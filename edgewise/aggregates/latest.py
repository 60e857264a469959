"""Aggregates of one source each, which count what it is now, whatever they knew of it before.

A source's records are in order, and their numbers grow, also from shard to shard (docs/exactly-once.md), but not from
stream to stream: one that is disabled and enabled again is another one, with a later label. So the last record by label
and number says what the source is, and all before it say nothing. An aggregate that somebody has put by what he read of
the source, at whatever moment, becomes right with the next record, or is.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Self

from edgewise.aggregates.effects import Effect


class Latest:
    """Each of its aggregates has one source, and counts what the last record says of that.

    Only for counts and sums. One that counts nothing stays while a record may come that is older.
    """

    costs = ""


class Filled:
    """Its aggregates also count what was stored before they were declared: a fill has put that into those below."""

    costs = ""


class Place(NamedTuple):
    """Where a record stands among all of its item: the label of its stream, an instant as text, and its number."""

    stream: str = ""
    sequence: int = 0

    @classmethod
    def of(cls, effect: Effect) -> Self:
        """That of the record whose effect this is."""
        return cls(effect.stream, effect.checkpoint.sequence)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The inverse of a text."""
        stream, _, sequence = text.rpartition(" ")
        return cls(stream, int(sequence))

    def __str__(self) -> str:
        return f"{self.stream} {self.sequence}"


# In front of all records.
NOWHERE = Place()


def newest(effects: Sequence[Effect], told: Place) -> Sequence[Effect]:
    """The effect that says what the source is now, without what it was before; none: what is stored says so already.

    `told`: the place of the record that has said what is stored. Effects that change nothing say nothing.
    """
    telling = (each for each in effects if (each.added or each.removed) and Place.of(each) > told)
    return [replace(each, removed={}) for each in sorted(telling, key=Place.of)[-1:]]
