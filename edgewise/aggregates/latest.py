"""Aggregates of one source each, which count what it is now, whatever they knew of it before.

A source's records are in order, and their numbers grow, also from shard to shard (docs/exactly-once.md). So the one
with the greatest number says what the source is, and all before it say nothing. An aggregate that somebody has put by
what he read of the source, at whatever moment, becomes right with the next record, or is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.effects import Effect


class Latest:
    """Each of its aggregates has one source, and counts what the last record says of that.

    Only for counts and sums. One that counts nothing stays while a record may come that is older.
    """

    costs = ""


class Filled:
    """Its aggregates also count what was stored before they were declared: a fill has put that into those below."""

    costs = ""


def newest(effects: Sequence[Effect], checkpoints: Mapping[str, Checkpoint]) -> Sequence[Effect]:
    """The effect that says what the source is now, without what it was before; none: what is stored says so already.

    `checkpoints`: what has been absorbed before. Effects that change nothing only move these.
    """
    reached = max((last.sequence for shard, last in checkpoints.items() if shard != REPAIRS), default=0)
    telling = (each for each in effects if (each.added or each.removed) and each.checkpoint.sequence > reached)
    return [replace(each, removed={}) for each in sorted(telling, key=lambda each: each.checkpoint.sequence)[-1:]]
