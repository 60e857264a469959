"""Checkpoints: how far an aggregate has absorbed each shard of the stream."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from functions.times import HOUR, Millis

# A stream keeps its records for 24 hours; older ones are "subject to trimming", so they may still be delivered. A
# checkpoint outlives by an hour what an aggregate takes in: longer than any invocation (15 minutes at most) that has
# read it.
CHECKPOINT_LIFETIME: Millis = 36 * HOUR
LATEST_DELIVERY: Millis = 35 * HOUR

# By shard, the sequence numbers of its records that are in quarantine.
Quarantined = Mapping[str, Set[int]]
NOTHING_QUARANTINED: Quarantined = {}


class Checkpoint(NamedTuple):
    """How far a shard has been absorbed: the last record's sequence number, when it was written, what was passed over.

    `missing` are records before the last that could not be understood when they were passed. Everything else up to
    `sequence` is in.
    """

    sequence: int
    at: Millis
    missing: frozenset[int] = frozenset()

    def covers(self, sequence: int) -> bool:
        """Whether the record of this number is in."""
        return sequence <= self.sequence and sequence not in self.missing


def moved(known: Checkpoint | None, fresh: Sequence[Checkpoint], quarantined: Set[int]) -> Checkpoint:
    """The checkpoint after the records of `fresh`, in the shard's order; late ones do not take it back.

    `quarantined` are records that it passes over, unless they are among them.
    """
    newest = fresh[-1]
    last = max(known or newest, newest, key=lambda each: each.sequence)
    taken = {checkpoint.sequence for checkpoint in fresh} if quarantined else set()
    passed = (number for number in quarantined - taken if number < last.sequence)
    return Checkpoint(
        last.sequence, last.at, frozenset(number for number in passed if not (known and known.covers(number)))
    )


def alive(checkpoints: Mapping[str, Checkpoint], quarantined: Quarantined) -> dict[str, Checkpoint]:
    """The checkpoints that can still be asked: by the stream, or by what was taken from it into quarantine."""
    newest = max(checkpoint.at for checkpoint in checkpoints.values())
    return {
        shard: checkpoint
        for shard, checkpoint in checkpoints.items()
        if shard in quarantined or newest - checkpoint.at <= CHECKPOINT_LIFETIME
    }
