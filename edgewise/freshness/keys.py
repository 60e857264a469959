"""Keys of what tells how fresh aggregates are: heartbeats, what each shard has reached, and the register of shards."""

from edgewise.dynamodb.keys import Key, Partitions, join, split, take
from edgewise.dynamodb.queries import Query

# Each heartbeat has a partition of its own: so their changes spread over the stream's shards.
HEARTBEATS = Partitions("HEARTBEAT")
PARTITION = "FRESHNESS"
REGISTER = Key(PARTITION, "SHARDS")
# The register and all watermarks.
ALL = Query(PARTITION)
# Follow-ups that take many steps, the oldest first.
UNFINISHED = "UNFINISHED"
# As text in `Type`. No reader of the stream needs any but the first.
HEARTBEAT, WATERMARK, FOLLOWED, SHARDS = "HEARTBEAT", "WATERMARK", "FOLLOWED", "SHARDS"


def heartbeat(name: str) -> Key:
    """The key of one heartbeat."""
    return Key(HEARTBEATS(name), HEARTBEAT)


def parse_heartbeat(pk: str) -> str:
    """The name of a heartbeat; raises ValueError for another kind of key."""
    return take(pk, HEARTBEATS.name, 2)[1]


def watermark(shard: str) -> Key:
    """The key of a shard's watermark."""
    return Key(PARTITION, join("SHARD", shard))


def parse_watermark(sk: str) -> str:
    """The shard of a watermark; raises ValueError for another kind of key."""
    return take(sk, "SHARD", 2)[1]


def followed(heartbeat: str) -> Key:
    """The key of what is known of the follow-ups in the shard in which this heartbeat comes."""
    return Key(PARTITION, join(FOLLOWED, heartbeat))


def parse_followed(sk: str) -> str:
    """The name of the heartbeat; raises ValueError for another kind of key."""
    return take(sk, FOLLOWED, 2)[1]


def parse_unfinished(sk: str) -> str:
    """When it began, as RFC 3339."""
    return split(sk)[0]
