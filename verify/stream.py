"""The table's stream as its API describes it, and the records of one item."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verify.target import Target

# Two consumers already read each shard four times a second, and DynamoDB throttles a shard that is read too often.
PAUSE_SECONDS, LONGEST_SECONDS = 1.0, 30.0
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Shard:
    """One shard; `last` is its ending sequence number, None while it is open."""

    id: str
    parent: str | None
    first: int | None
    last: int | None


def listed(target: Target) -> Sequence[str]:
    """The streams of the table, by ARN."""
    found = target.client("dynamodbstreams").list_streams(TableName=target.outputs["TableName"])
    return [stream["StreamArn"] for stream in found["Streams"]]


def arn(target: Target) -> str:
    """The table's present stream."""
    table = target.client("dynamodb").describe_table(TableName=target.outputs["TableName"])["Table"]
    return str(table["LatestStreamArn"])


def shards(target: Target, stream: str) -> list[Shard]:
    """All shards in the description of the stream."""
    streams, found, after = target.client("dynamodbstreams"), list[Shard](), dict[str, str]()
    while True:
        page = streams.describe_stream(StreamArn=stream, **after)["StreamDescription"]
        found += map(_shard, page["Shards"])
        if "LastEvaluatedShardId" not in page:
            return found
        after = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}


def _shard(given: Mapping[str, Any]) -> Shard:
    numbers = given["SequenceNumberRange"]
    first, last = (numbers.get(name) for name in ("StartingSequenceNumber", "EndingSequenceNumber"))
    return Shard(
        given["ShardId"], given.get("ParentShardId"), int(first) if first else None, int(last) if last else None
    )


class Tail:
    """The records that arrive in the open shards from now on."""

    def __init__(self, target: Target) -> None:
        self._streams = target.client("dynamodbstreams")
        stream = arn(target)
        self._iterators = [
            self._streams.get_shard_iterator(StreamArn=stream, ShardId=shard.id, ShardIteratorType="LATEST")[
                "ShardIterator"
            ]
            for shard in shards(target, stream)
            if shard.last is None
        ]
        self._read()  # now the iterators have a fixed position, whatever "latest" means

    def until_removed(self, partition: str) -> list[Record]:
        """The records of one partition in the order of their shard, until one is a removal or the time is over."""
        found: list[Record] = []
        deadline = time.monotonic() + LONGEST_SECONDS
        while time.monotonic() < deadline and not any(record["eventName"] == "REMOVE" for record in found):
            found += (each for each in self._read() if each["dynamodb"]["Keys"]["PK"]["S"] == partition)
            time.sleep(PAUSE_SECONDS)
        return found

    def _read(self) -> list[Record]:
        """The records that have arrived since the last call."""
        found: list[Record] = []
        for index, iterator in enumerate(self._iterators):
            if iterator:
                answer = self._streams.get_records(ShardIterator=iterator)
                self._iterators[index] = answer.get("NextShardIterator")
                found += answer["Records"]
        return found
