"""Keys of aggregates, whatever they count."""

from zlib import crc32

from functions.aggregates.ids import AggregateId
from functions.dynamodb.keys import Key, join, prefix, split, take
from functions.times import Millis, rfc_3339

# In an entity's partition EDGE# alone is its summary, which stands before all its edges.
SUMMARY = EDGES = prefix("EDGE")

# Emptied aggregates stand in the index by value, in a fixed number of lists: one takes 1,000 changes a second.
_EMPTIED_LISTS = 8
EMPTIED = tuple(join("EMPTIED", str(number)) for number in range(_EMPTIED_LISTS))


def of(about: AggregateId) -> Key:
    """The primary key of an aggregate, or of one of its partial aggregates or continuations.

    Partial aggregates stand in a partition of their own, PART#PK, where PK is that of the aggregate: they share it, so
    that one shard brings what they say to the aggregate; and it is none that readers query. Continuations stand beside
    the item that they continue, before all that is read with a summary: CONTINUED#digits#SK, where SK is that of the
    aggregate. No query of a system's own finds them.
    """
    key = about.kind.key(*about.dimensions)
    if about.partial is not None:
        key = Key(prefix("PART") + key.pk, prefix(str(about.partial)) + key.sk)
    return Key(key.pk, prefix("CONTINUED", about.path) + key.sk) if about.path else key


def partial_number(sk: str) -> int:
    """Which of the partial aggregates a sort key is of; raises ValueError for another kind of key."""
    return int(split(sk)[0])


def edge_target(sk: str) -> tuple[str, ...]:
    """The components of the entity that an edge points at: room, device, child, or the path of a place."""
    return take(sk, "EDGE", 4)[3:]


def entity(pk: str) -> tuple[str, ...]:
    """The components of an entity, without its type: (amy,) for USER#amy, the path of a place."""
    return split(pk)[1:]


def entity_name(pk: str) -> str:
    """The id of an entity that has one component; raises ValueError for another kind of key."""
    _, found = split(pk)
    return found


def emptied_list(key: Key) -> str:
    """The list in which an emptied aggregate stands."""
    return EMPTIED[crc32(f"{key.pk}{key.sk}".encode()) % _EMPTIED_LISTS]


def emptied_since(newest: Millis) -> str:
    """Where it stands in the list, by the time of its newest checkpoint: the oldest first."""
    return rfc_3339(newest)
