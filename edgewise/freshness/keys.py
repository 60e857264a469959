"""Keys of what tells how fresh aggregates are: heartbeats, the watermark of each shard, and the register of shards."""

from edgewise.dynamodb.keys import Key, Partitions, join, take
from edgewise.dynamodb.queries import Query

# Each heartbeat has a partition of its own: so their changes spread over the stream's shards.
HEARTBEATS = Partitions("HEARTBEAT")
PARTITION = "FRESHNESS"
REGISTER = Key(PARTITION, "SHARDS")
# The register and all watermarks.
ALL = Query(PARTITION)
# As text in `Type`. No reader of the stream needs the last two.
HEARTBEAT, WATERMARK, SHARDS = "HEARTBEAT", "WATERMARK", "SHARDS"


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
