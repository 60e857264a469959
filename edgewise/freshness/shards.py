"""The register of the stream's open shards, and the heartbeats that let each of them tell how far it has come.

A shard without records is not late, but it can't say so. So each shard gets a record every few seconds: a heartbeat.
Which shard the change of an item comes in, only the stream knows. Hence names are tried until each shard has one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.writes import Condition, Put
from edgewise.freshness import keys
from edgewise.freshness.watermarks import Watermark
from edgewise.times import DAY, SECOND, Millis

# While any shard has no name, so many are tried for each: a shard of average size is missed once in 2,981 times.
NAMES_A_SHARD = 8
# At most so many together: each is a write unit.
MOST_NAMES = 2000
# The parent of a shard that has none.
NO_PARENT = ""


@dataclass(frozen=True)
class Shards:
    """The open shards, each with its parent (NO_PARENT), and the names of the heartbeats."""

    version: int = 0
    parents: Mapping[str, str] = field(default_factory=dict)
    heartbeats: tuple[str, ...] = ()

    def surveyed(
        self, parents: Mapping[str, str], watermarks: Iterable[Watermark], new_name: Callable[[], str]
    ) -> "Shards":
        """With the shards that are open now: one name for each, and new ones to try where none is known."""
        seen = {each.shard: min(each.heartbeats) for each in watermarks if each.heartbeats}
        kept = [seen[shard] for shard in sorted(parents) if shard in seen]
        tried = min(NAMES_A_SHARD * len(parents), MOST_NAMES) if len(kept) < len(parents) else 0
        return Shards(self.version + 1, parents, (*kept, *(new_name() for _ in range(tried))))

    def says_the_same(self, other: "Shards") -> bool:
        """Whether another register differs by its version only."""
        return (self.parents, self.heartbeats) == (other.parents, other.heartbeats)


def replacing(shards: Shards) -> Put:
    """The write that stores a register, refused unless the stored one is its predecessor."""
    item: Item = key_item(keys.REGISTER) | {
        "Type": s(keys.SHARDS),
        "Version": n(shards.version),
        "Parents": {"M": {shard: s(parent) for shard, parent in shards.parents.items()}},
        "Heartbeats": {"L": [s(each) for each in shards.heartbeats]},
    }
    return Put(item, Condition.at_version(shards.version - 1))


def shards(item: Item) -> Shards:
    """The inverse."""
    parents = {shard: string(parent) for shard, parent in item["Parents"]["M"].items()}
    return Shards(integer(item["Version"]), parents, tuple(map(string, item["Heartbeats"]["L"])))


class Heartbeat(NamedTuple):
    """A heartbeat: its name, and when it was sent."""

    name: str
    at: Millis


def heartbeat_item(beat: Heartbeat) -> Item:
    """The item of a heartbeat: each time another one, or the stream would not tell.

    Names that are no longer used expire: each survey that misses a shard tries new ones.
    """
    expires = {TTL_ATTRIBUTE: n((beat.at + DAY) // SECOND)}
    return key_item(keys.heartbeat(beat.name)) | {"Type": s(keys.HEARTBEAT), "At": n(beat.at)} | expires


def heartbeat(item: Item) -> Heartbeat:
    """The inverse; raises KeyError, TypeError or ValueError."""
    return Heartbeat(keys.parse_heartbeat(string(item["PK"])), integer(item["At"]))
