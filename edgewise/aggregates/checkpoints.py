"""Checkpoints: how far an aggregate has absorbed each shard of the stream."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from edgewise.times import HOUR, Millis

# A stream keeps its records for 24 hours; older ones are "subject to trimming", so they may still be delivered. A
# checkpoint is kept for an hour after its record becomes too old to be absorbed: longer than any invocation that has
# read the checkpoint can run (15 minutes).
CHECKPOINT_LIFETIME: Millis = 36 * HOUR
LATEST_DELIVERY: Millis = 35 * HOUR

# Repairs are absorbed like the records of a shard of this name, each numbered by its instant. What they have counted is
# counted up to the checkpoint's time, whichever shard it comes from. The number of a repair by hand is a later instant:
# nobody knows whether it has counted what changed between the two.
#
# What a carrier or an edge brings may be as old as two deliveries, so these are kept for twice as long.
REPAIRS = "repairs"
# Up to the time of this checkpoint, an aggregate leaves nothing open: it hands on its share of a record directly, which
# others absorb like a record of a shard of `direct` name.
DIRECT = "direct"

# Streams call each shard by this and its name.
_SHARD_ID = "shardId-"

# By shard, the sequence numbers of its records that are in quarantine.
Quarantined = Mapping[str, Set[int]]
NOTHING_QUARANTINED: Quarantined = {}


def shard_name(shard_id: str) -> str:
    """The name by which aggregates know a shard of a stream."""
    return shard_id.removeprefix(_SHARD_ID)


class Checkpoint(NamedTuple):
    """How far a shard has been absorbed: the last record's sequence number, its time, and the records passed over.

    `missing` are the earlier records that could not be understood when the checkpoint passed them. Everything else up
    to `sequence` has been absorbed.
    """

    sequence: int
    at: Millis
    missing: frozenset[int] = frozenset()

    def covers(self, sequence: int) -> bool:
        """Whether the record with this number has been absorbed."""
        return sequence <= self.sequence and sequence not in self.missing


def direct(shard: str) -> str:
    """The shard whose records are what comes directly of this shard's."""
    return f"{DIRECT} {shard}"


def moved(known: Checkpoint | None, fresh: Sequence[Checkpoint], quarantined: Set[int]) -> Checkpoint:
    """The checkpoint after the `fresh` records, which are in the shard's order; late records do not move it back.

    `quarantined` are the records that it passes over, unless they are among the fresh ones.
    """
    newest = fresh[-1]
    last = max(known or newest, newest, key=lambda each: each.sequence)
    taken = {checkpoint.sequence for checkpoint in fresh} if quarantined else set()
    passed = (number for number in quarantined - taken if number < last.sequence)
    return Checkpoint(
        last.sequence, last.at, frozenset(number for number in passed if not (known and known.covers(number)))
    )


def alive(checkpoints: Mapping[str, Checkpoint], quarantined: Quarantined) -> dict[str, Checkpoint]:
    """The checkpoints that may still be needed: for records in the stream, or for records in quarantine."""
    newest = max(checkpoint.at for checkpoint in checkpoints.values())
    return {
        shard: checkpoint
        for shard, checkpoint in checkpoints.items()
        if is_kept(shard, quarantined) or newest - checkpoint.at <= lifetime(shard)
    }


def lifetime(shard: str) -> Millis:
    """How long a checkpoint of this name may be needed."""
    return 2 * CHECKPOINT_LIFETIME if shard == REPAIRS else CHECKPOINT_LIFETIME


def is_kept(shard: str, quarantined: Quarantined) -> bool:
    """Whether a checkpoint of this name is kept at any age, since a record may be redriven that it covers."""
    of = shard.removeprefix(f"{DIRECT} ")
    return of in quarantined or (bool(quarantined) and of in (REPAIRS, DIRECT))
