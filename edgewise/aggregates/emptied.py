"""Aggregates that count nothing any more, and when they may leave the table."""

from collections.abc import Mapping
from dataclasses import dataclass

from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME, Checkpoint, Quarantined, is_kept, lifetime
from edgewise.times import Millis


@dataclass(frozen=True, slots=True)
class Emptied:
    """The parts of an emptied aggregate that say when it may leave; its name is not among them.

    `latest`: it counts what the last record of its source says (edgewise/aggregates/latest.py). What is redriven when
    it may have left needs none of its checkpoints.
    """

    version: int
    checkpoints: Mapping[str, Checkpoint]
    lacks: str
    latest: bool = False

    def may_leave(self, now: Millis, quarantined: Quarantined) -> bool:
        """Whether the item may be removed, because nothing will ever need its checkpoints again.

        `quarantined` must have been read after the aggregate. Records as old as its checkpoints are no longer
        delivered, so none of them can enter quarantine after that.
        """
        asked = any(
            (is_kept(shard, quarantined) and not self.latest) or now - checkpoint.at <= lifetime(shard)
            for shard, checkpoint in self.checkpoints.items()
        )
        # A late redrive creates items with old checkpoints: an invocation that has read such an item may still run.
        young = now - self.version <= CHECKPOINT_LIFETIME
        return not (self.lacks or asked or young)
