"""The changes of the local cloud's table, from its stream: the emulator exports none, though it says that it does."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from batch.exports import Change
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.times import SECOND, Millis
from ops.local_cloud import Cloud


def since(cloud: Cloud, table: str, at: Millis) -> list[Change]:
    """What has changed since an instant: each item as it was before, and as it is now."""
    records = (record for record in _records(cloud, table) if _written(record) >= at)
    return list(_compacted(records))


def _compacted(records: Iterable[Mapping[str, Any]]) -> Iterator[Change]:
    """One change an item, as DynamoDB exports them: its first old image, its last new one.

    Of an item that came and went there is no image, so nothing can be said of what it feeds.
    """
    changes: dict[tuple[str, str], Change] = {}
    for record in records:
        images = record["dynamodb"]
        key = key_of(images["Keys"])
        old: Item | None = changes[key].old if key in changes else images.get("OldImage")
        changes[key] = Change(old, images.get("NewImage"), _written(record))
    yield from (change for change in changes.values() if change.old or change.new)


def _records(cloud: Cloud, table: str) -> Iterator[Mapping[str, Any]]:
    """The records of the emulator's only shard, up to the present."""
    streams = cloud.client("dynamodbstreams", endpoint=cloud.url)
    stream = cloud.client("dynamodb").describe_table(TableName=table)["Table"]["LatestStreamArn"]
    (shard,) = streams.describe_stream(StreamArn=stream)["StreamDescription"]["Shards"]
    where = {"StreamArn": stream, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
    iterator = streams.get_shard_iterator(**where)["ShardIterator"]
    while iterator:
        page = streams.get_records(ShardIterator=iterator)
        yield from page["Records"]
        iterator = page.get("NextShardIterator") if page["Records"] else None


def _written(record: Mapping[str, Any]) -> Millis:
    return int(record["dynamodb"]["ApproximateCreationDateTime"].timestamp()) * SECOND
