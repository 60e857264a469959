"""Aggregates that count nothing any more, and when they may leave the table."""

from collections.abc import Mapping
from dataclasses import dataclass

from functions.aggregates.checkpoints import CHECKPOINT_LIFETIME, Checkpoint, Quarantined
from functions.times import Millis


@dataclass(frozen=True, slots=True)
class Emptied:
    """An aggregate that counts nothing any more, read without its name."""

    version: int
    checkpoints: Mapping[str, Checkpoint]
    lacks: str

    def may_leave(self, now: Millis, quarantined: Quarantined) -> bool:
        """Whether the item may be removed: nothing will ever ask its checkpoints again.

        `quarantined` must have been read after the aggregate. Records that old are no longer delivered, so none of them
        can come into quarantine from then on.
        """
        asked = any(
            shard in quarantined or now - checkpoint.at <= CHECKPOINT_LIFETIME
            for shard, checkpoint in self.checkpoints.items()
        )
        # A late redrive makes items whose checkpoints are old from the first: who has met such an item may still run.
        young = now - self.version <= CHECKPOINT_LIFETIME
        return not (self.lacks or asked or young)
