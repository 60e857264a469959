"""What is done about records that Lambda gave up: nobody counts them, and everybody is told."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from edgewise import Shared
from edgewise.aggregates import keys
from edgewise.aggregates.keys import CARRIER, AggregateId
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.stream import incomplete, lost
from edgewise.stream.last_line import WHY, UnreadableError
from edgewise.stream.windows import UnreadableStateError
from edgewise.stream.writer import UnfinishedError
from functions.handlers import cascade, edge_aggregator, last_line
from functions.replay.memory import MemoryTable
from functions.settings import NO_BATCH, ConsumerSettings
from functions.systems.telemetry import system as telemetry_system
from tests.support.http import Context
from tests.support.parts import with_part
from tests.support.streams import PRESENT, window_event

BUCKET, SHARD = "lost", "0001-a"
DEVICE = telemetry_system.DEVICE("d")


@pytest.fixture
def bucket(aws_env: pytest.MonkeyPatch) -> Iterator[Any]:
    with mock_aws():
        lost.client.cache_clear()
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client
    lost.client.cache_clear()


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> MemoryTable:
    table = MemoryTable()
    for reader in (edge_aggregator, cascade, last_line):
        monkeypatch.setattr(reader, "table", lambda: table)
    monkeypatch.setattr(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "puts", NO_BATCH))
    return table


def reading(number: int, device: str = "d", *, readable: bool = True) -> dict[str, Any]:
    image: Item = {
        "PK": {"S": f"DEVICE#{device}"},
        "SK": {"S": f"EVENT#2018-08-29T12:00:00.000Z#{number}"},
        "Type": {"S": "EVENT"},
        **({"Metrics": {"M": {}}} if readable else {}),
    }
    place = {"ApproximateCreationDateTime": PRESENT / 1000, "SequenceNumber": str(10**20 + number)}
    return {"eventID": str(number), "eventName": "INSERT", "dynamodb": {**place, "NewImage": image}}


class Shard:
    """What the stream's readers do with its records, and Lambda with what they don't take."""

    def __init__(self, bucket: Any) -> None:
        self.bucket = bucket

    def absorb(self, *records: dict[str, Any]) -> None:
        edge_aggregator.handler(window_event(SHARD, list(records)), Context())

    def give_up(self, *records: dict[str, Any], context: Context | None = None, **more: Any) -> None:
        self.put("key", window_event(SHARD, list(records)) | more)
        self.tell("key", context)

    def put(self, key: str, event: dict[str, Any]) -> None:
        described = {"requestContext": {"condition": "RecordAgeExceeded"}, "payload": json.dumps(event)}
        self.bucket.put_object(Bucket=BUCKET, Key=key, Body=json.dumps(described).encode())

    def tell(self, key: str, context: Context | None = None) -> None:
        detail = {"bucket": {"name": BUCKET}, "object": {"key": key}}
        last_line.handler({"detail-type": "Object Created", "detail": detail}, context or Context())


@pytest.fixture
def shard(bucket: Any, memory: MemoryTable) -> Shard:
    return Shard(bucket)


def stored(table: MemoryTable, about: AggregateId = DEVICE) -> tuple[int, str]:
    """How many events the device has counted, and what it lacks."""
    found = aggregate(about, table.items.get(keys.of(about)))
    return (found.cells["Events"].count if found.cells else 0), found.lacks


def counted(table: MemoryTable) -> dict[Key, Item]:
    """What it has, but for how far the shard has come."""
    return {key: item for key, item in table.items.items() if item["Type"]["S"] != CARRIER}


def noted(table: MemoryTable) -> list[str]:
    return [each.kind for each in incomplete.page(table, 100, None)[0]]


def test_an_aggregate_that_was_not_reached_says_that_it_lacks_something(shard: Shard, memory: MemoryTable) -> None:
    shard.absorb(reading(0))
    shard.give_up(reading(1), reading(2))
    assert stored(memory) == (1, WHY)
    assert noted(memory) == ["DEVICE"]
    shard.absorb(reading(3))
    assert stored(memory) == (2, WHY)


def test_one_that_does_not_exist_yet_says_so_when_it_comes(shard: Shard, memory: MemoryTable) -> None:
    shard.give_up(reading(1))
    shard.absorb(reading(2))
    assert stored(memory) == (1, WHY)


def test_one_that_later_records_have_passed_already_says_so(shard: Shard, memory: MemoryTable) -> None:
    shard.absorb(reading(0), reading(2))
    shard.give_up(reading(1))
    assert stored(memory) == (2, WHY)


def test_one_that_had_taken_them_in_before_they_were_given_up_lacks_nothing(shard: Shard, memory: MemoryTable) -> None:
    shard.absorb(reading(0), reading(1))
    shard.give_up(reading(0), reading(1), reading(2, "other"))
    assert stored(memory) == (2, "")
    assert stored(memory, telemetry_system.DEVICE("other")) == (0, WHY)


def test_delivered_again_by_hand_they_count_nothing_and_change_nothing(shard: Shard, memory: MemoryTable) -> None:
    shard.absorb(reading(0))
    shard.give_up(reading(1))
    before = counted(memory)
    shard.absorb(reading(1))
    shard.tell("key")
    assert counted(memory) == before


def test_what_waited_for_the_windows_end_is_given_up_with_it(shard: Shard, memory: MemoryTable) -> None:
    with with_part(telemetry_system.DEVICE, Shared()):
        answer = edge_aggregator.handler(window_event(SHARD, [reading(0, "waits")], ends=False), Context())
        assert not memory.items
        shard.give_up(reading(1), state=answer["state"])
    assert [stored(memory, telemetry_system.DEVICE(each)) for each in ("d", "waits")] == [(0, WHY), (0, WHY)]


def test_a_state_that_this_release_cant_read_is_told_after_the_records_are_noted(
    shard: Shard, memory: MemoryTable
) -> None:
    with pytest.raises(UnreadableStateError, match="has the format 7"):
        shard.give_up(reading(1), state={"format": 7, "waiting": []})
    assert stored(memory) == (0, WHY)


def test_of_what_cant_be_read_somebody_is_told_after_all_else_is_noted(shard: Shard, memory: MemoryTable) -> None:
    with pytest.raises(UnreadableError, match="1 records can't be understood"):
        shard.give_up(reading(1, readable=False), reading(2, "other"))
    assert stored(memory, telemetry_system.DEVICE("other")) == (0, WHY)


class Hourglass(Context):
    """So many looks at the clock, one before each write."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def get_remaining_time_in_millis(self) -> int:
        self.looks -= 1
        return last_line.RESERVE_MS + (1 if self.looks >= 0 else 0)


def test_out_of_time_it_goes_on_where_it_was_when_it_is_told_again(shard: Shard, memory: MemoryTable) -> None:
    records = [reading(number, f"d{number}") for number in range(5)]
    with pytest.raises(UnfinishedError):
        shard.give_up(*records, context=Hourglass(3))
    shard.tell("key", Hourglass(2))
    assert [stored(memory, telemetry_system.DEVICE(f"d{number}")) for number in range(5)] == [(0, WHY)] * 5


def test_what_the_cascade_was_to_finish_is_finished(
    shard: Shard, memory: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []
    monkeypatch.setattr(last_line, "finish", lambda table, follow_ups, records: given.extend(records))
    shard.put("key", {"Records": [reading(1)]})
    shard.tell("key")
    assert given == [reading(1)]
    assert not memory.items
