"""Keys of aggregates, whatever they count."""

from functools import lru_cache
from zlib import crc32

from edgewise.aggregates.ids import AggregateId
from edgewise.dynamodb.keys import Key, Partitions, after, prefix, split, take
from edgewise.times import SECOND, Millis, rfc_3339

# In an entity's partition, the sort key EDGE# alone is its summary, which sorts before all its edges.
SUMMARY = EDGES = prefix("EDGE")

# Emptied aggregates are listed in the index by value, in a fixed number of lists: each takes 1,000 changes a second.
_EMPTIED_LISTS = 8
EMPTIED = Partitions("EMPTIED")
EMPTIED_LISTS = tuple(EMPTIED(str(number)) for number in range(_EMPTIED_LISTS))
CARRIERS = Partitions("CARRIER")


# The consumer needs the key of an aggregate several times, to read it, to find it in the answer, and to write it.
@lru_cache(maxsize=4096)
def of(about: AggregateId) -> Key:
    """The primary key of an aggregate, or of one of its continuations.

    Continuations are in the partition of the item that they continue, before everything that is read with a summary.
    Their sort key is CONTINUED#digits#SK, where SK is the aggregate's. No query of a system finds them.
    """
    key = about.kind.key(*about.dimensions)
    return Key(key.pk, prefix("CONTINUED", about.path) + key.sk) if about.path else key


def carrier(group: int, shard: str) -> Key:
    """The primary key of a shard's carrier. Those of a group share a partition, so one shard has all their records."""
    return Key(CARRIERS(str(group)), shard)


def continued(key: Key) -> tuple[Key, str]:
    """The key of the item that an item continues in the end, and its path of digits; raises IndexError for others."""
    return Key(key.pk, after(key.sk, 2)), split(key.sk)[1]


def summarized(pk: str, _: str) -> tuple[str]:
    """What a summary is about, from its key: an entity with one component; raises ValueError for another kind."""
    return (entity_name(pk),)


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
