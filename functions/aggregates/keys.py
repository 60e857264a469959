"""Keys of aggregates, whatever they count."""

from zlib import crc32

from functions.aggregates.ids import AggregateId
from functions.dynamodb.keys import Key, join, prefix, split, take
from functions.times import Millis, rfc_3339

# In a node's partition EDGE# alone is its summary, which stands before all its edges.
NODE_SUMMARY = EDGES = prefix("EDGE")

# Emptied aggregates stand in the index by value, in a fixed number of lists: one takes 1,000 changes a second.
_EMPTIED_LISTS = 8
EMPTIED = tuple(join("EMPTIED", str(number)) for number in range(_EMPTIED_LISTS))


def aggregate(about: AggregateId) -> Key:
    """The primary key of an aggregate, or of one of its slots or continuations.

    Slots stand in a partition of their own, SLOT#PK, where PK is that of the aggregate: they share it, so that one lane
    brings what they say to the aggregate; and it is none that readers query.
    Continuations stand beside the item that they continue, before all that is read with a summary:
    CONTINUED#digits#SK, where SK is that of the aggregate. No query of a system's own finds them.
    """
    key = about.kind.key(*about.parts)
    if about.slot is not None:
        key = Key(prefix("SLOT") + key.pk, prefix(str(about.slot)) + key.sk)
    return Key(key.pk, prefix("CONTINUED", about.path) + key.sk) if about.path else key


def slot_number(sk: str) -> int:
    """Which of the slots a sort key is of; raises ValueError for another kind of key."""
    return int(split(sk)[0])


def edge_target(sk: str) -> tuple[str, ...]:
    """The components of the node that an edge points at: room, device, child, or the path of a place."""
    return take(sk, "EDGE", 4)[3:]


def node(pk: str) -> tuple[str, ...]:
    """The components of a node, without its type: (amy,) for USER#amy, the path of a place."""
    return split(pk)[1:]


def node_name(pk: str) -> str:
    """The id of a node that has one component; raises ValueError for another kind of key."""
    _, found = split(pk)
    return found


def emptied_list(key: Key) -> str:
    """The list in which an emptied aggregate stands."""
    return EMPTIED[crc32(f"{key.pk}{key.sk}".encode()) % _EMPTIED_LISTS]


def emptied_since(newest: Millis) -> str:
    """Where it stands in the list, by the time of its newest mark: the oldest first."""
    return rfc_3339(newest)
