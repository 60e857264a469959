"""Keys of the quarantine: the records that could not be understood, by shard, and the register of all of them."""

from edgewise.dynamodb.keys import Key, Partitions, join, prefix, split, take
from edgewise.times import Millis, from_rfc_3339, rfc_3339

# The register's key; the list of all records, in the index by value, uses the same partition key.
REGISTER = Key("QUARANTINE", "ALL")
LIST = "QUARANTINE"
SHARDS = Partitions("QUARANTINE")


def shard(name: str) -> str:
    """The partition of a shard's records."""
    return SHARDS(name)


def quarantine(shard_name: str, sequence: str, part: int) -> Key:
    """The key of one part of a record that could not be understood; parts sort in their order."""
    return Key(shard(shard_name), join(sequence.zfill(40), f"{part:04d}"))


def parts(sequence: str) -> str:
    """The prefix of the sort keys of a record's parts."""
    return prefix(sequence.zfill(40))


def listed(at: Millis, shard_name: str, sequence: str) -> str:
    """A record's sort key in the list of all records: the oldest first."""
    return join(rfc_3339(at), shard_name, sequence.zfill(40))


def parse(pk: str, sk: str) -> tuple[str, str]:
    """Shard and sequence number (40 digits) of a record's part; raises ValueError for another kind of key."""
    return take(pk, "QUARANTINE", 2)[1], split(sk)[0]


def listed_anew(key: Key, listed_sk: str) -> str:
    """A record's sort key in the list, from the key of a part, and of its present sort key there the instant alone."""
    return listed(from_rfc_3339(parse_listed(listed_sk)), *parse(*key))


def parse_listed(listed_sk: str) -> str:
    """When a listed record was written, as RFC 3339."""
    return split(listed_sk)[0]
