"""Sends heartbeats through the stream, and surveys its shards now and then."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from edgewise import aws, clock, surroundings
from edgewise.aggregates.checkpoints import shard_name
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Put
from edgewise.freshness import shards
from edgewise.freshness.known import Known, read
from edgewise.freshness.shards import NO_PARENT, Heartbeat, heartbeat_item

# The open shards of a stream, each with its parent.
Survey = Callable[[], Mapping[str, str]]


def of_stream(arn: str) -> Mapping[str, str]:
    """The open shards of a stream, each with its parent (NO_PARENT), by the names that aggregates know.

    And closed ones without a child: it has been opened, but is not listed yet. Until it is, the parent stands for it.
    """
    shards = described(arn)
    parents = {each.get("ParentShardId") for each in shards}
    return {
        shard_name(each["ShardId"]): shard_name(each.get("ParentShardId", NO_PARENT))
        for each in shards
        if "EndingSequenceNumber" not in each["SequenceNumberRange"] or each["ShardId"] not in parents
    }


def described(arn: str) -> list[Mapping[str, Any]]:
    """The shards of a stream that are open, or have closed in the last day, as DescribeStream lists them."""
    return [each for page in _pages(arn) for each in page["Shards"]]


def beat(table: Table, known: Known) -> None:
    """Send each heartbeat through the stream: a write unit for each."""
    table.put_many(list(_items(known)))


def beat_singly(table: Table, known: Known) -> None:
    """The same for whoever may put, but not many items at once."""
    for item in _items(known):
        table.write(Put(item))


def _items(known: Known) -> Iterator[Item]:
    at = clock.now()
    return (heartbeat_item(Heartbeat(name, at)) for name in known.shards.heartbeats)


def survey(table: Table, look: Survey) -> Known:
    """What is known, with the shards that are open now; if somebody else has surveyed them meanwhile, that does."""
    known = read(table, consistent=True)
    found = known.shards.surveyed(look(), known.watermarks.values(), lambda: surroundings.token(4))
    if not found.says_the_same(known.shards):
        with suppress(RefusedError):
            table.write(shards.replacing(found))
    return replace(known, shards=found)


def _pages(arn: str) -> Iterator[Mapping[str, Any]]:
    after: dict[str, str] = {}
    while True:
        page: Mapping[str, Any] = aws.streams().describe_stream(StreamArn=arn, **after)["StreamDescription"]
        yield page
        if "LastEvaluatedShardId" not in page:
            return
        after = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}
