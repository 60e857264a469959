"""How many shards something is spread over, and since when: a chat room, or a list in an index."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from edgewise.dynamodb.keys import digest
from edgewise.times import EARLIEST, SECOND, Millis

# Nothing widens itself again this soon after its last widening took effect: that one needs time to show effect.
COOL_DOWN = 60 * SECOND


@dataclass(frozen=True, slots=True)
class Widening:
    """From this instant on, what is written is spread over this many shards."""

    since: Millis
    shards: int


@dataclass(frozen=True, slots=True)
class Sharding:
    """The history of the shards of something that has a name. Their number never falls, and `most` is its limit.

    Readers look at all shards that the history names, even those that nobody may write to yet. `version` 0: this
    history has not been stored.
    """

    most: ClassVar[int]

    name: str
    history: tuple[Widening, ...]
    version: int = 1

    @classmethod
    def starting_with(cls, name: str, shards: int, version: int = 1) -> Self:
        """Something that has always had this many shards."""
        return cls(name, (Widening(EARLIEST, shards),), version)

    @property
    def shards(self) -> int:
        """How many shards a reader must look at."""
        return self.history[-1].shards

    def shard_of(self, at: Millis, member: str) -> int:
        """The shard, 1 to n, of a member that is written at this instant."""
        shards = next(step.shards for step in reversed(self.history) if step.since <= at)
        return int(digest(member), 16) % shards + 1

    def widened(self, shards: int, since: Millis) -> Self:
        """The next version, with more shards from `since` on."""
        return replace(self, history=(*self.history, Widening(since, shards)), version=self.version + 1)

    def doubled(self, now: Millis, since: Millis) -> Self | None:
        """The next version, with twice the shards from `since` on; None if it has the most, or was just widened."""
        if self.shards >= self.most or now < self.history[-1].since + COOL_DOWN:
            return None
        return self.widened(min(2 * self.shards, self.most), since)
