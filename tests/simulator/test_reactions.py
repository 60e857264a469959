"""What Lambda does with a batch after the function's answer, by the documentation's own statements."""

import json
from itertools import pairwise
from typing import Any

import pytest

from delivery import Mapping, Simulator
from tests.simulator.support import Remembering, choking_on, drained, failing_with, stream_of

HOUR, DAY = 3600, 24 * 3600
PARTIAL = Mapping(report_batch_item_failures=True, batch_size=4)


def test_a_function_error_repeats_the_whole_batch_and_holds_up_what_follows() -> None:
    handler = Remembering(ValueError("once"), None)
    drained(Simulator(handler, stream_of(6), Mapping(batch_size=4)))
    assert handler.batches == [[0, 1, 2, 3], [0, 1, 2, 3], [4, 5]]


def test_the_pause_before_a_retry_doubles_from_a_second_to_a_quarter_of_an_hour() -> None:
    at: list[float] = []
    simulator = Simulator(lambda *_: 1 / 0, stream := stream_of(1), Mapping(maximum_retry_attempts=12))
    while simulator.step():
        at.append(stream.clock.now)
    assert [later - earlier for earlier, later in pairwise(at)] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]


def test_other_shards_go_on_meanwhile() -> None:
    stream = stream_of(40, "abcdefgh", shards=2)
    handler = Remembering(choking_on(0))
    drained(Simulator(handler, stream, Mapping(maximum_retry_attempts=50)))
    blocked = [number for batch in handler.batches if 0 in batch for number in batch]
    assert {number for batch in handler.batches for number in batch} - set(blocked)


def test_a_partial_failure_restarts_at_the_record_reported() -> None:
    handler = Remembering(failing_with(2), None)
    drained(Simulator(handler, stream_of(4), PARTIAL))
    assert handler.batches == [[0, 1, 2, 3], [2, 3]]


def test_of_several_failures_the_lowest_sequence_number_counts() -> None:
    def two(event: dict[str, Any]) -> Any:
        return {
            "batchItemFailures": failing_with(3)(event)["batchItemFailures"]
            + failing_with(1)(event)["batchItemFailures"]
        }

    handler = Remembering(two, None)
    drained(Simulator(handler, stream_of(4), PARTIAL))
    assert handler.batches == [[0, 1, 2, 3], [1, 2, 3]]


def test_sequence_numbers_are_compared_as_integers() -> None:
    """The stream's first numbers have 21 digits, and later ones 22: as text, the later would be the lower."""
    stream = stream_of(30)

    def around_the_growth(event: dict[str, Any]) -> Any:
        return {
            "batchItemFailures": failing_with(25)(event)["batchItemFailures"]
            + failing_with(5)(event)["batchItemFailures"]
        }

    handler = Remembering(around_the_growth, None)
    drained(Simulator(handler, stream, Mapping(report_batch_item_failures=True)))
    assert handler.batches[1][0] == 5


@pytest.mark.parametrize("answer", [None, {}, {"batchItemFailures": []}, {"batchItemFailures": None}])
def test_an_empty_answer_or_list_is_success(answer: Any) -> None:
    handler = Remembering(answer)
    drained(Simulator(handler, stream_of(4), PARTIAL))
    assert handler.batches == [[0, 1, 2, 3]]


@pytest.mark.parametrize(
    "failure",
    [{"itemIdentifier": ""}, {"itemIdentifier": None}, {"itemIdentifier": "12345"}, {"identifier": "1"}, {}, "1"],
)
def test_a_bad_identifier_fails_the_whole_batch(failure: Any) -> None:
    handler = Remembering({"batchItemFailures": [failure]}, None)
    drained(Simulator(handler, stream_of(4), PARTIAL))
    assert handler.batches == [[0, 1, 2, 3], [0, 1, 2, 3]]


def test_without_the_setting_the_report_is_not_read() -> None:
    handler = Remembering(failing_with(0))
    drained(Simulator(handler, stream_of(4), Mapping(batch_size=4)))
    assert handler.batches == [[0, 1, 2, 3]]


def test_an_answer_that_is_no_json_fails_the_batch() -> None:
    handler = Remembering({"seen": {1, 2}}, None)
    drained(Simulator(handler, stream_of(1)))
    assert handler.batches == [[0], [0]]


def test_bisection_halves_a_failing_batch_in_order_and_uses_no_retry() -> None:
    handler = Remembering(choking_on(2))
    mapping = Mapping(batch_size=4, bisect_batch_on_function_error=True, maximum_retry_attempts=0)
    drained(Simulator(handler, stream_of(6), mapping))
    assert handler.batches == [[0, 1, 2, 3], [0, 1], [2, 3], [2], [3], [4, 5]]


def test_a_partial_failure_with_bisection_splits_at_the_record_reported() -> None:
    handler = Remembering(failing_with(3), None)
    mapping = Mapping(batch_size=4, bisect_batch_on_function_error=True, report_batch_item_failures=True)
    drained(Simulator(handler, stream_of(4), mapping))
    assert handler.batches == [[0, 1, 2, 3], [3]]


def test_maximum_retry_attempts_gives_up_the_batch_and_goes_on() -> None:
    handler = Remembering(choking_on(1))
    drained(Simulator(handler, stream_of(5), Mapping(batch_size=4, maximum_retry_attempts=2)))
    assert handler.batches == [[0, 1, 2, 3]] * 3 + [[4]]


def test_what_is_left_of_a_partial_failure_is_given_up_as_a_whole() -> None:
    handler = Remembering(failing_with(2))
    mapping = Mapping(batch_size=5, report_batch_item_failures=True, maximum_retry_attempts=1)
    drained(Simulator(handler, stream_of(6), mapping))
    assert handler.batches == [[0, 1, 2, 3, 4], [2, 3, 4], [2, 3, 4], [5]]


def test_maximum_record_age_gives_up_only_what_is_too_old() -> None:
    stream = stream_of(2)
    stream.clock.advance(HOUR)
    simulator = Simulator(Remembering(), stream, Mapping(maximum_record_age=HOUR - 1, on_failure="sqs"))
    simulator.drain()
    assert simulator.deliveries == 0
    assert [sent["requestContext"]["condition"] for sent in simulator.destination] == ["RecordAgeExceeded"]


def test_by_default_a_failing_batch_blocks_its_shard_until_the_stream_forgets_it() -> None:
    stream = stream_of(1)
    written = stream.clock.now
    simulator = drained(Simulator(Remembering(ValueError("for ever")), stream))
    assert len(simulator.forgotten) == 1
    assert DAY < stream.clock.now - written < DAY + HOUR
    assert simulator.destination == []


def test_the_destination_is_told_where_the_records_are() -> None:
    stream = stream_of(3)
    mapping = Mapping(maximum_retry_attempts=1, on_failure="sqs")
    (sent,) = drained(Simulator(Remembering(ValueError("no")), stream, mapping)).destination
    (shard,) = stream.shards
    assert sent == {
        "requestContext": {
            "requestId": "00000001-0000-4000-8000-000000000000",
            "functionArn": "arn:aws:lambda:us-east-1:123456789012:function:simulated",
            "condition": "RetryAttemptsExhausted",
            "approximateInvokeCount": 2,
        },
        "responseContext": {"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled"},
        "version": "1.0",
        "timestamp": "2018-08-29T12:00:01.000Z",
        "DDBStreamBatchInfo": {
            "shardId": shard.id,
            "startSequenceNumber": "999999999999999999981",
            "endSequenceNumber": "999999999999999999983",
            "approximateArrivalOfFirstRecord": "2018-08-29T12:00:00Z",
            "approximateArrivalOfLastRecord": "2018-08-29T12:00:00Z",
            "batchSize": 3,
            "streamArn": stream.source.arn,
        },
    }


def test_s3_gets_the_event_too() -> None:
    handler = Remembering(ValueError("no"))
    mapping = Mapping(maximum_retry_attempts=0, on_failure="s3")
    (sent,) = drained(Simulator(handler, stream_of(3), mapping)).destination
    assert json.loads(sent["payload"]) == handler.events[0]


def test_after_an_accepted_report_the_destination_names_no_function_error() -> None:
    mapping = Mapping(report_batch_item_failures=True, maximum_retry_attempts=0, on_failure="sqs")
    (sent,) = drained(Simulator(Remembering(failing_with(0)), stream_of(1), mapping)).destination
    assert sent["responseContext"] == {"statusCode": 200, "executedVersion": "$LATEST"}
