"""A shard read again, on the reference engine: what is behind a record, as Lambda would have delivered it."""

import json
import time
import uuid
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from edgewise import aws
from edgewise.dynamodb.schema import create_table_request
from edgewise.stream import again
from edgewise.stream.again import UnreadError, Until
from edgewise.times import DAY
from tests.conftest import local_client

TO_THE_END = Until(None, int(time.time() * 1000) + DAY)


class Shard:
    """The stream of a table of its own, which has one shard."""

    def __init__(self, url: str) -> None:
        self.name, self.table = f"again-{uuid.uuid4()}", local_client(url)
        created = self.table.create_table(**create_table_request(self.name))
        self.arn = created["TableDescription"]["LatestStreamArn"]
        self.client = boto3.client("dynamodbstreams", endpoint_url=url)
        (shard,) = self.client.describe_stream(StreamArn=self.arn)["StreamDescription"]["Shards"]
        self.id = shard["ShardId"]

    def put(self, number: int) -> None:
        item: Any = {"PK": {"S": "a"}, "SK": {"S": str(number)}, "Type": {"S": "X"}, "Packed": {"B": b"\x00\xff"}}
        self.table.put_item(TableName=self.name, Item=item)

    def behind(self, after: int | None, until: Until = TO_THE_END, *, time_left: bool = True) -> list[Any]:
        return list(again.behind(self.arn, self.id, lambda: time_left)(after, until))


@pytest.fixture
def shard(dynamodb_local: str, aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shard]:
    found = Shard(dynamodb_local)
    monkeypatch.setattr(aws, "streams", lambda: found.client)
    yield found
    found.table.delete_table(TableName=found.name)


def numbers(records: list[Any]) -> list[str]:
    return [record["dynamodb"]["Keys"]["SK"]["S"] for record in records]


def sequence(record: Any) -> int:
    return int(record["dynamodb"]["SequenceNumber"])


def test_it_begins_with_the_shard_or_behind_a_record(shard: Shard) -> None:
    for number in range(5):
        shard.put(number)
    everything = shard.behind(None)
    assert numbers(everything) == list("01234")
    assert numbers(shard.behind(sequence(everything[1]))) == list("234")
    assert shard.behind(sequence(everything[4])) == []
    named = {record["eventSourceARN"] for record in everything}
    assert named == {shard.arn}, "the engine's own items may be in the stream of another table"


def test_it_ends_before_a_record_or_at_a_time(shard: Shard) -> None:
    for number in range(4):
        shard.put(number)
    everything = shard.behind(None)
    assert numbers(shard.behind(None, Until(sequence(everything[2]), 0))) == list("01")
    assert shard.behind(None, Until(None, 0)) == []


def test_an_empty_page_is_not_the_end(shard: Shard, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may take several calls to get to what there is."""
    shard.put(1)
    empty, get = iter(range(3)), shard.client.get_records

    def page(ShardIterator: str) -> Any:
        if next(empty, None) is None:
            return get(ShardIterator=ShardIterator)
        return {"Records": [], "NextShardIterator": ShardIterator}

    monkeypatch.setattr(shard.client, "get_records", page)
    assert numbers(shard.behind(None)) == ["1"]


def test_records_are_as_lambda_delivers_them(shard: Shard) -> None:
    shard.put(1)
    shard.table.delete_item(TableName=shard.name, Key={"PK": {"S": "a"}, "SK": {"S": "1"}})
    inserted, removed = shard.behind(None)
    assert json.loads(json.dumps([inserted, removed])) == [inserted, removed]
    assert inserted["dynamodb"]["NewImage"]["Packed"] == {"B": "AP8="}
    assert removed["dynamodb"]["OldImage"] == inserted["dynamodb"]["NewImage"]
    assert abs(inserted["dynamodb"]["ApproximateCreationDateTime"] - time.time()) < DAY / 1000
    assert (inserted["eventName"], removed["eventName"], removed["userIdentity"]) == ("INSERT", "REMOVE", None)


def test_without_time_it_stops_and_says_so(shard: Shard) -> None:
    shard.put(1)
    with pytest.raises(UnreadError, match=f"{shard.id} .*no time"):
        shard.behind(None, time_left=False)


def test_what_is_no_longer_in_the_stream_is_no_reason_to_fail(shard: Shard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it begins with the oldest record that there is."""
    shard.put(1)
    iterator = shard.client.get_shard_iterator

    def trimmed(**asked: Any) -> Any:
        if asked["ShardIteratorType"] == "AFTER_SEQUENCE_NUMBER":
            raise shard.client.exceptions.TrimmedDataAccessException({}, "GetShardIterator")
        return iterator(**asked)

    monkeypatch.setattr(shard.client, "get_shard_iterator", trimmed)
    assert numbers(shard.behind(7)) == ["1"]


def test_of_a_stream_that_is_gone_nothing_can_be_read_again(shard: Shard) -> None:
    shard.arn += "1"
    assert shard.behind(None) == shard.behind(7) == []


def test_what_the_time_to_live_removed_says_so() -> None:
    """By names that begin with a small letter, as in events."""
    told = {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}
    at = type("At", (), {"timestamp": lambda _: 1.5})()
    found = again.as_delivered({"userIdentity": told, "dynamodb": {"ApproximateCreationDateTime": at}})
    assert found["userIdentity"] == {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
