"""The names of aggregates, and the keys of their items."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from edgewise.dynamodb.keys import Key, Partitions, after, escape, prefix, split, take
from edgewise.times import SECOND, Millis, rfc_3339

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind

# What tells the aggregates of a kind apart: a text, a number, or a path such as that of a place.
Dimension = str | int | tuple[str, ...]

# The types of the items beside those that readers ask for.
CARRIER, CONTINUED = "CARRIER", "CONTINUED"

# In an entity's partition, the sort key EDGE# alone is its summary, which sorts before all its edges.
SUMMARY = EDGES = prefix("EDGE")

# Emptied aggregates are listed in the index by value, in a fixed number of lists: each takes 1,000 changes a second.
_EMPTIED_LISTS = 8
EMPTIED = Partitions("EMPTIED")
EMPTIED_LISTS = tuple(EMPTIED(str(number)) for number in range(_EMPTIED_LISTS))
CARRIERS = Partitions("CARRIER")


class AggregateId(NamedTuple):
    """Which aggregate: its kind and what it is about, such as POSTED_IN of (amy, seattle).

    `path` names one of its further items (edgewise/aggregates/continuations); if empty, it is the aggregate itself.
    """

    kind: "Kind"
    dimensions: tuple[Dimension, ...]
    path: str = ""

    @property
    def aggregate(self) -> "AggregateId":
        """The name of the aggregate itself, whichever of its items this names."""
        return AggregateId(self.kind, self.dimensions)

    @property
    def is_read(self) -> bool:
        """Whether it is the item that readers ask for."""
        return not self.path

    def bucket_start(self, cell: str) -> Millis:
        """When the bucket of a cell begins; 0 for kinds without buckets."""
        return self.kind.buckets.start(self, cell) if self.kind.buckets else 0

    @property
    def type(self) -> str:
        """The `Type` of its item."""
        return CONTINUED if self.path else self.kind.name

    @property
    def plain(self) -> list[Any]:
        """The name as plain JSON values; `Catalog.named` is the inverse."""
        name = [self.kind.name, list(self.dimensions)]
        return [*name, self.path] if self.path else name


# The consumer needs the key of an aggregate several times, to read it, to find it in the answer, and to write it.
@lru_cache(maxsize=4096)
def of(about: AggregateId) -> Key:
    """The primary key of an aggregate, or of one of its continuations.

    Continuations are in the partition of the item that they continue, before everything that is read with a summary.
    Their sort key is CONTINUED#digits#SK, where SK is the aggregate's. No query of a system finds them.
    """
    key = about.kind.key(*about.dimensions)
    return Key(key.pk, prefix("CONTINUED", about.path) + key.sk) if about.path else key


def carrier(group: int, shard: str, of_set: str = "") -> Key:
    """The primary key of a shard's carrier. Those of a group share a partition, so one shard has all their records.

    What items of a set change has a carrier of its own: it has absorbed all of a record that concerns it, or nothing.
    """
    return Key(CARRIERS(str(group)), prefix(shard) + escape(of_set) if of_set else shard)


def continued(key: Key) -> tuple[Key, str]:
    """The key of the item that an item continues in the end, and its path of digits; raises IndexError for others."""
    return Key(key.pk, after(key.sk, 2)), split(key.sk)[1]


def edge_target(sk: str) -> tuple[str, ...]:
    """The components of the entity that an edge points at: a room, a device, a child, or the path of a place."""
    return take(sk, "EDGE", 4)[3:]


def entity(pk: str) -> tuple[str, ...]:
    """The components of an entity without its type: (amy,) for USER#amy, or the path of a place."""
    return split(pk)[1:]


def entity_name(pk: str) -> str:
    """The id of an entity with one component; raises ValueError for another kind of key."""
    _, found = split(pk)
    return found


def emptied_list(key: Key) -> str:
    """The list that has an emptied aggregate."""
    return EMPTIED_LISTS[crc32(f"{key.pk}{key.sk}".encode()) % _EMPTIED_LISTS]


def emptied_since(newest: Millis) -> str:
    """The sort key of an emptied aggregate in its list: the time of its newest checkpoint, the oldest first.

    As checkpoints are stored, it is rounded up to whole seconds, so the item says itself where it must be listed.
    """
    return rfc_3339(-(-newest // SECOND) * SECOND)
