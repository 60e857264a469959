"""Tumbling windows, by the documentation's own statements."""

from typing import Any

from delivery import Faults, Mapping, Simulator, Stream
from tests.simulator.support import Remembering, drained, numbers, stream_of, write

WINDOW = Mapping(batch_size=2, tumbling_window=60)


def counting(event: dict[str, Any], _: Any = None) -> dict[str, Any]:
    """The documentation's use of state: what was seen in this window so far."""
    return {"state": {"seen": event["state"].get("seen", 0) + len(event["Records"])}}


def states(handler: Remembering) -> list[int]:
    return [event["state"].get("seen", 0) for event in handler.events]


def finals(handler: Remembering) -> list[dict[str, Any]]:
    return [event for event in handler.events if event["isFinalInvokeForWindow"]]


def two_windows() -> Stream:
    stream = stream_of(3)
    stream.clock.advance(60)
    write(stream, [3, 4])
    return stream


def test_state_goes_from_batch_to_batch_and_ends_with_the_window() -> None:
    handler = Remembering(counting)
    drained(Simulator(handler, two_windows(), WINDOW))
    assert handler.batches == [[0, 1], [2], [], [3, 4], []]
    assert states(handler) == [0, 2, 3, 0, 2]


def test_windows_begin_and_end_at_whole_multiples_of_their_length() -> None:
    handler = Remembering(counting)
    drained(Simulator(handler, two_windows(), WINDOW))
    assert [event["window"]["start"][-9:] for event in finals(handler)] == ["12:00:00Z", "12:01:00Z"]
    assert [event["window"]["end"][-9:] for event in finals(handler)] == ["12:01:00Z", "12:02:00Z"]


def test_the_last_window_ends_in_its_time_without_a_further_record() -> None:
    stream = stream_of(1)
    drained(Simulator(Remembering(counting), stream, WINDOW))
    assert stream.clock.now == 1_535_544_060


def test_an_answer_without_state_counts_as_failed() -> None:
    handler = Remembering({"batchItemFailures": []}, counting)
    drained(Simulator(handler, stream_of(1), WINDOW))
    assert handler.batches == [[0], [0], []]


def test_an_answer_may_report_failures_as_well() -> None:
    def second(event: dict[str, Any]) -> Any:
        return {"state": {"seen": 1}, "batchItemFailures": [{"itemIdentifier": "999999999999999999982"}]}

    handler = Remembering(second, counting)
    mapping = Mapping(batch_size=2, tumbling_window=60, report_batch_item_failures=True)
    drained(Simulator(handler, stream_of(2), mapping))
    assert handler.batches == [[0, 1], [1], []]
    assert states(handler) == [0, 1, 2]


def test_a_failed_batch_gets_the_state_it_had() -> None:
    handler = Remembering(counting, ValueError("no"), counting)
    drained(Simulator(handler, stream_of(3), WINDOW))
    assert states(handler) == [0, 2, 2, 3]


def test_a_failed_final_invocation_holds_up_the_shard() -> None:
    handler = Remembering(counting, counting, ValueError("no"), counting)
    drained(Simulator(handler, two_windows(), WINDOW))
    assert handler.batches == [[0, 1], [2], [], [], [3, 4], []]


def test_a_state_of_more_than_1_mb_ends_the_window_early() -> None:
    handler = Remembering({"state": {"text": "x" * 1024 * 1024}}, counting)
    drained(Simulator(handler, stream_of(3), WINDOW))
    assert handler.batches == [[0, 1], [], [2], []]
    assert [event["isWindowTerminatedEarly"] for event in handler.events] == [False, True, False, False]
    assert handler.events[2]["state"] == {}


def test_a_window_ends_with_its_shard_and_the_child_starts_afresh() -> None:
    stream = stream_of(2)
    stream.roll_over(stream.shards[0])
    write(stream, [2])
    handler = Remembering(counting)
    drained(Simulator(handler, stream, WINDOW))
    assert handler.batches == [[0, 1], [], [2], []]
    assert states(handler) == [0, 2, 0, 1]
    assert [event["shardId"] for event in handler.events] == [shard.id for shard in stream.shards for _ in range(2)]


def test_a_lost_checkpoint_goes_back_to_the_beginning_of_a_window() -> None:
    stream = Stream()
    for minute in range(20):
        write(stream, range(minute * 5, minute * 5 + 5))
        stream.clock.advance(60)
    handler = Remembering(counting)
    drained(Simulator(handler, stream, WINDOW, Faults(rewound=0.3, rewind=20), seed=4))
    backwards = [
        after[0]
        for before, after in zip(handler.batches, handler.batches[1:], strict=False)
        if after and after[0] < max(before, default=after[0])
    ]
    assert backwards
    assert {number % 5 for number in backwards} == {0}


def test_plain_events_carry_no_window() -> None:
    handler = Remembering()
    drained(Simulator(handler, stream_of(1)))
    assert handler.events[0].keys() == {"Records"}
    assert numbers(handler.events[0]) == [0]


def test_the_last_window_of_a_closed_shard_may_be_lost_so_that_no_call_follows() -> None:
    stream = stream_of(2)
    stream.roll_over(stream.shards[0])
    write(stream, [2])
    handler = Remembering(counting)
    simulator = drained(Simulator(handler, stream, WINDOW, Faults(window_lost=0.99)))
    assert handler.batches == [[0, 1], [2], []]
    assert states(handler) == [0, 0, 1]
    assert simulator.windows_lost == 1
