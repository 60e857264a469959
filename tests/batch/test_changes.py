"""The changes of the local cloud's table are told as DynamoDB's incremental export tells them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from batch.exports import Change, change_line
from batch.runs import changes
from edgewise.dynamodb.attributes import Item
from ops.local_cloud import Cloud

AT = 1_800_000_000


class Faked:
    """The stream of the emulator: one shard, all records in one page."""

    def __init__(self, *records: Mapping[str, Any]) -> None:
        self.pages = [list(records), []]

    url = "of the emulator"

    def client(self, _service: str, *, endpoint: str = url) -> "Faked":
        assert endpoint == self.url
        return self

    def describe_table(self, **_: str) -> Mapping[str, Any]:
        return {"Table": {"LatestStreamArn": "stream"}}

    def describe_stream(self, **_: str) -> Mapping[str, Any]:
        return {"StreamDescription": {"Shards": [{"ShardId": "shard"}]}}

    def get_shard_iterator(self, **_: str) -> Mapping[str, Any]:
        return {"ShardIterator": "0"}

    def get_records(self, **_: str) -> Mapping[str, Any]:
        return {"Records": self.pages.pop(0), "NextShardIterator": "1"}


def item(name: str, value: int) -> Item:
    return {"PK": {"S": name}, "SK": {"S": "s"}, "Value": {"N": str(value)}}


def record(second: int, old: Item | None, new: Item | None) -> Mapping[str, Any]:
    present = new or old or {}
    images = {name: image for name, image in (("OldImage", old), ("NewImage", new)) if image}
    at = datetime.fromtimestamp(AT + second, UTC)
    return {"dynamodb": {"ApproximateCreationDateTime": at, "Keys": {k: present[k] for k in ("PK", "SK")}, **images}}


def since(second: int, *records: Mapping[str, Any]) -> list[Change]:
    return changes.since(cast(Cloud, Faked(*records)), "table", (AT + second) * 1000)


def test_an_item_is_told_as_it_was_before_and_as_it_is_now() -> None:
    one, two, three = (item("a", value) for value in (1, 2, 3))
    assert since(1, record(0, None, one), record(1, one, two), record(2, two, three)) == [
        Change(one, three, (AT + 2) * 1000)
    ]
    assert since(1, record(0, None, one), record(1, one, None)) == [Change(one, None, (AT + 1) * 1000)]


def test_what_came_and_went_is_not_told() -> None:
    one, other = item("a", 1), item("b", 2)
    found = since(0, record(0, None, one), record(1, None, other), record(2, one, None))
    assert found == [Change(None, other, (AT + 1) * 1000)]
    assert [change_line(each)["Keys"]["PK"] for each in found] == [{"S": "b"}]
