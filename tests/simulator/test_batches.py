"""Where batches end, how long they wait, and who reads them, by the documentation's own statements."""

import json
from typing import Any

import pytest

from delivery import Items, Mapping, Simulator, Stream
from tests.simulator.support import Remembering, drained, item, numbers, stream_of, write

MB = 1024 * 1024


def test_a_batch_ends_at_its_size() -> None:
    handler = Remembering()
    drained(Simulator(handler, stream_of(7), Mapping(batch_size=3)))
    assert handler.batches == [[0, 1, 2], [3, 4, 5], [6]]


def test_a_batch_ends_before_its_payload_exceeds_6_mb() -> None:
    stream = Stream()
    items = Items(stream)
    for number in range(40):
        items.put(item("p", number, text={"S": "é" * 190_000}))  # 380 KB as UTF-8
    handler = Remembering()
    drained(Simulator(handler, stream, Mapping(batch_size=10_000)))
    sizes = [len(json.dumps(event, ensure_ascii=False).encode()) for event in handler.events]
    assert [len(batch) for batch in handler.batches] == [16, 16, 8]
    assert max(sizes) <= 6 * MB < max(sizes) + 400_000


def test_without_a_batching_window_nothing_is_waited_for() -> None:
    stream, handler = stream_of(1), Remembering()
    Simulator(handler, stream).step()
    assert (handler.batches, stream.clock.now) == ([[0]], 1_535_544_000)


def test_a_batching_window_waits_for_more_records() -> None:
    stream, handler = stream_of(1), Remembering()
    Simulator(handler, stream, Mapping(batching_window=5)).step()
    assert (handler.batches, stream.clock.now) == ([[0]], 1_535_544_005)


def test_a_full_batch_does_not_wait_for_the_window() -> None:
    stream, handler = stream_of(3), Remembering()
    Simulator(handler, stream, Mapping(batch_size=3, batching_window=5)).step()
    assert (handler.batches, stream.clock.now) == ([[0, 1, 2]], 1_535_544_000)


def test_parallelization_keeps_each_item_s_order_but_not_its_partition_s() -> None:
    stream = Stream()
    items = Items(stream)
    for version in range(20):
        for number in range(10):
            items.put(item("p", number, version={"N": str(version)}))
    handler = Remembering()
    drained(Simulator(handler, stream, Mapping(batch_size=3, parallelization_factor=4), seed=2))
    versions: dict[int, list[int]] = {}
    order = []
    for record in (record for event in handler.events for record in event["Records"]):
        number, version = numbers({"Records": [record]})[0], int(record["dynamodb"]["NewImage"]["version"]["N"])
        versions.setdefault(number, []).append(version)
        order.append(version)
    assert versions == {number: list(range(20)) for number in range(10)}
    assert order != sorted(order)


def test_with_parallelization_children_wait_for_all_of_a_shard_s_pollers() -> None:
    stream = stream_of(20)
    stream.roll_over(stream.shards[0])
    write(stream, range(20, 40))
    handler = Remembering()
    drained(Simulator(handler, stream, Mapping(batch_size=2, parallelization_factor=3), seed=1))
    seen = [number for batch in handler.batches for number in batch]
    assert max(seen[:20]) < 20
    assert sorted(seen) == list(range(40))


def test_shards_are_read_concurrently_in_an_order_the_seed_chooses() -> None:
    orders, partitions = set(), [f"p{number}" for number in range(20)]
    for seed in range(20):
        handler = Remembering()
        drained(Simulator(handler, stream_of(40, partitions, shards=2), Mapping(batch_size=2), seed=seed))
        orders.add(json.dumps(handler.batches))
    assert len(orders) > 10


@pytest.mark.parametrize(
    "setting",
    [
        {"batch_size": 0},
        {"batch_size": 10_001},
        {"batching_window": 301},
        {"tumbling_window": 901},
        {"parallelization_factor": 11},
        {"parallelization_factor": 2, "tumbling_window": 10},
        {"maximum_retry_attempts": -2},
        {"maximum_record_age": 59},
        {"maximum_record_age": 604_801},
        {"filters": [{"eventName": ["INSERT"]}] * 11},
        {"on_failure": "kinesis"},
    ],
)
def test_what_lambda_would_refuse_is_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"batch|window|parallel|retry|age|filters|on_failure"):
        Mapping(**setting)
