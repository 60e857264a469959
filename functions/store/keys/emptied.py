"""Keys of emptied aggregates: their list in the index by value, in a few shards, by the time of their newest mark."""

from zlib import crc32

from functions.domain.times import Millis, rfc_3339
from functions.store.keys.grammar import Key, join

# A fixed number: one shard takes 1,000 changes a second.
_SHARDS = 8
SHARDS = tuple(join("EMPTIED", str(number)) for number in range(_SHARDS))


def shard_of(key: Key) -> str:
    """The list in which an emptied aggregate stands."""
    return SHARDS[crc32(f"{key.pk}{key.sk}".encode()) % _SHARDS]


def since(newest: Millis) -> str:
    """Where it stands in the list: the oldest first."""
    return rfc_3339(newest)
