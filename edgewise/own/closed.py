"""Ends the last windows of closed shards: Lambda may have lost the state of one, and makes no further call.

The first batch of a shard that continues such a one makes up for that (edgewise/stream/invocation.py). Where nobody
writes anything, and no heartbeats are sent, there may be none for long, and nothing would tell what rows lack.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from edgewise import aws, clock
from edgewise.aggregates import keys
from edgewise.dynamodb.table import Table
from edgewise.freshness.heartbeats import described
from edgewise.freshness.known import read
from edgewise.times import HOUR, Millis

# A shard of which nothing was told for so long is not being read any more.
QUIET: Millis = HOUR
# A shard as an event names it.
Shard = dict[str, Any]


def unended(table: Table, stream: str, name: Callable[[Mapping[str, Any]], str]) -> Sequence[Shard]:
    """The closed shards of a stream, by its ARN, that were read, while none was read yet that continues them.

    `name`: what aggregates call the shard of an event. A request for each hundred shards, and a query.
    """
    try:
        found = [(each, _named(stream, each["ShardId"])) for each in described(stream)]
    except aws.streams().exceptions.ResourceNotFoundException:
        return []
    parents = {keys.carrier(0, name(shard)): each.get("ParentShardId") for each, shard in found}
    continued = {parents[key] for key in table.get_many(list(parents))}
    told, before = read(table).watermarks.values(), clock.now() - QUIET
    quiet = {mark.shard for mark in told if mark.history[-1].at < before}
    closed = (shard for each, shard in found if "EndingSequenceNumber" in each["SequenceNumberRange"])
    return [shard for shard in closed if name(shard) in quiet and shard["shardId"] not in continued]


def _named(stream: str, shard: str) -> Shard:
    return {"eventSourceARN": stream, "shardId": shard, "Records": []}
