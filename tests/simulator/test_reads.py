"""The stream as programs read it themselves, and a mapping that is made anew."""

from datetime import UTC, datetime
from typing import Any

import pytest

from delivery import Mapping, Reads, Simulator, Stream
from delivery.reads import MOST_ANSWERS
from tests.simulator.support import Remembering, drained, item, stream_of, write

DAY = 24 * 3600


def iterator(reads: Reads, stream: Stream, kind: str = "TRIM_HORIZON", **more: str) -> str:
    at = reads.get_shard_iterator(
        StreamArn=stream.source.arn, ShardId=stream.shards[0].id, ShardIteratorType=kind, **more
    )
    return at["ShardIterator"]


def behind(reads: Reads, stream: Stream, number: int) -> list[int]:
    answer = reads.get_records(iterator(reads, stream, "AFTER_SEQUENCE_NUMBER", SequenceNumber=str(number)))
    return [int(each["dynamodb"]["SequenceNumber"]) for each in answer["Records"]]


def test_it_begins_with_the_oldest_record_that_is_kept_or_behind_one() -> None:
    stream = stream_of(2)
    first, second = (each.sequence for each in stream.shards[0].records)
    reads = Reads(stream, empty=[0])
    assert behind(reads, stream, first - 1) == [first, second]
    assert behind(reads, stream, first) == [second]
    stream.clock.advance(DAY + 1)
    with pytest.raises(reads.exceptions.TrimmedDataAccessException):
        behind(reads, stream, first)
    assert reads.get_records(iterator(reads, stream))["Records"] == []


def test_it_may_begin_with_the_next_record() -> None:
    stream = stream_of(2)
    reads = Reads(stream, empty=[0])
    at = iterator(reads, stream, "LATEST")
    write(stream, [2])
    (record,) = reads.get_records(at)["Records"]
    assert record["dynamodb"]["Keys"]["SK"] == {"S": "000002"}


def test_answers_without_records_come_first_and_for_ever_behind_the_last_one() -> None:
    stream = stream_of(1)
    reads, found = Reads(stream, empty=[2]), list[int]()
    at = iterator(reads, stream)
    for _ in range(9):
        answer = reads.get_records(at)
        found.append(len(answer["Records"]))
        at = answer["NextShardIterator"]
    assert found == [0, 0, 1, 0, 0, 0, 0, 0, 0]


def test_whoever_asks_for_ever_is_stopped() -> None:
    stream = Stream()
    reads = Reads(stream)
    at = iterator(reads, stream)
    for _ in range(MOST_ANSWERS):
        at = reads.get_records(at)["NextShardIterator"]
    with pytest.raises(reads.exceptions.LimitExceededException):
        reads.get_records(at)


def test_a_closed_shard_has_an_end_and_its_child_names_it() -> None:
    stream = stream_of(1)
    closed = stream.shards[0]
    child = stream.roll_over(closed)
    reads = Reads(stream, empty=[0])
    assert "NextShardIterator" not in reads.get_records(iterator(reads, stream))
    described = reads.describe_stream(StreamArn=stream.source.arn)["StreamDescription"]["Shards"]
    assert [(each["ShardId"], each.get("ParentShardId")) for each in described] == [
        (closed.id, None),
        (child.id, closed.id),
    ]
    assert ["EndingSequenceNumber" in each["SequenceNumberRange"] for each in described] == [True, False]
    stream.clock.advance(DAY + 1)
    described = reads.describe_stream(StreamArn=stream.source.arn)["StreamDescription"]["Shards"]
    assert [each["ShardId"] for each in described] == [child.id]


def test_records_have_the_form_of_this_api() -> None:
    stream = Stream()
    stream.record(item("p", B={"M": {"x": {"B": b"\xff"}}}), None, expired=True)
    reads = Reads(stream, empty=[0])
    (record,) = reads.get_records(iterator(reads, stream))["Records"]
    change: Any = record["dynamodb"]
    assert change["ApproximateCreationDateTime"] == datetime.fromtimestamp(int(stream.clock.now), UTC)
    assert change["OldImage"]["B"] == {"M": {"x": {"B": b"\xff"}}}
    assert record["userIdentity"] == {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}


def test_a_mapping_that_is_made_anew_reads_all_that_is_kept_and_parents_first() -> None:
    stream = stream_of(2)
    stream.roll_over(stream.shards[0])
    write(stream, [2])
    handler = Remembering()
    simulator = Simulator(handler, stream, Mapping(batch_size=2))
    drained(simulator)
    simulator.renew()
    drained(simulator)
    assert handler.batches == [[0, 1], [2], [0, 1], [2]]
    stream.clock.advance(DAY + 1)
    simulator.renew()
    drained(simulator)
    assert handler.batches == [[0, 1], [2], [0, 1], [2]]
    assert simulator.forgotten == []
