"""Streams as DynamoDB documents them: which changes leave records, and how shards follow each other."""

import json

import pytest

from delivery import Faults, Items, Mapping, Simulator, Stream
from tests.simulator.support import Remembering, drained, item, stream_of, write

HOUR = 3600


def sequences(stream: Stream) -> list[int]:
    return sorted(record.sequence for shard in stream.shards for record in shard.records)


def test_a_put_that_changes_nothing_leaves_no_record() -> None:
    stream = Stream()
    items = Items(stream)
    items.put(item("p"))
    items.put(item("p"))
    assert len(sequences(stream)) == 1


def test_a_delete_of_nothing_leaves_no_record() -> None:
    stream = Stream()
    Items(stream).delete(item("p"))
    Items(stream).expire(item("p"))
    assert sequences(stream) == []


def test_the_digits_of_sequence_numbers_grow() -> None:
    lengths = [len(str(sequence)) for sequence in sequences(stream_of(30))]
    assert set(lengths) == {21, 22}


def test_an_item_s_changes_stand_in_one_shard_in_order() -> None:
    stream = Stream(shards=4)
    for version in range(3):
        for number in range(100):
            Items(stream).put(item("p", number, Version={"N": str(version)}))
    for shard in stream.shards:
        assert [record.sequence for record in shard.records] == sorted(record.sequence for record in shard.records)
    homes = {(record.item, shard.id) for shard in stream.shards for record in shard.records}
    assert len(homes) == 100


def test_a_collection_s_items_may_stand_in_several_shards() -> None:
    stream = stream_of(100, shards=4)
    assert all(shard.records for shard in stream.shards)


def test_whole_collections_stand_in_one_shard_each() -> None:
    stream = Stream(shards=4, whole_collections=True)
    write(stream, range(200), [f"p{number}" for number in range(20)])
    homes = {(json.loads(record.item)["PK"]["S"], shard.id) for shard in stream.shards for record in shard.records}
    assert len(homes) == 20
    assert all(shard.records for shard in stream.shards)


def test_shard_ids_have_the_documented_length() -> None:
    assert all(28 <= len(shard.id) <= 65 for shard in Stream(shards=3).shards)


def test_after_four_hours_a_shard_closes_and_its_child_carries_on() -> None:
    stream = stream_of(1)
    stream.clock.advance(4 * HOUR)
    write(stream, [1])
    parent, child = stream.shards
    assert parent.closed
    assert child.parent == parent.id
    assert [len(shard.records) for shard in stream.shards] == [1, 1]


def test_a_split_gives_each_half_of_the_keys_to_a_child() -> None:
    stream = stream_of(50, [f"p{number}" for number in range(50)])
    (parent,) = stream.shards
    children = stream.split(parent)
    write(stream, range(50, 150), [f"p{number}" for number in range(50)])
    assert len(parent.records) == 50
    assert [child.parent for child in children] == [parent.id, parent.id]
    assert all(child.records for child in children)
    assert stream.open_shards == children


def test_children_are_read_only_after_their_parents_are_done() -> None:
    stream = Stream(whole_collections=True)
    write(stream, range(10))
    left, right = stream.split(stream.shards[0])
    write(stream, range(10, 20), "pqrstuvw")
    stream.roll_over(left)
    stream.roll_over(right)
    write(stream, range(20, 30), "pqrstuvw")
    handler = Remembering(ValueError("first"), ValueError("second"), None)
    drained(Simulator(handler, stream, Mapping(batch_size=3), seed=5))
    seen = [number for batch in handler.batches[2:] for number in batch]
    generations = [number // 10 for number in seen if number % 8 == 0]  # of one partition and so of one lineage
    assert generations == sorted(generations)
    assert seen[:10] == list(range(10))


def test_shards_without_records_hold_up_nobody() -> None:
    stream = Stream()
    for _ in range(3):
        stream.roll_over(stream.shards[-1])
    write(stream, range(2))
    handler = Remembering()
    Simulator(handler, stream).drain()
    assert handler.batches == [[0, 1]]


def test_a_parent_that_fails_holds_up_its_children() -> None:
    stream = stream_of(1)
    stream.roll_over(stream.shards[0])
    write(stream, [1])
    handler = Remembering(*[ValueError("no")] * 5, None)
    drained(Simulator(handler, stream))
    assert handler.batches == [[0]] * 6 + [[1]]


@pytest.mark.parametrize("seed", range(5))
def test_shards_that_split_and_roll_over_while_being_read_lose_nothing(seed: int) -> None:
    partitions = [f"p{number}" for number in range(16)]
    stream, handler = Stream(shards=2, whole_collections=True), Remembering()
    simulator = Simulator(handler, stream, Mapping(batch_size=3), Faults(split=0.2, roll_over=0.2), seed=seed)
    for number in range(200):
        write(stream, [number], partitions)
        simulator.step()
    simulator.drain()
    assert sorted(number for batch in handler.batches for number in batch) == list(range(200))
    for partition in range(16):
        delivered = [number for batch in handler.batches for number in batch if number % 16 == partition]
        assert delivered == sorted(delivered)
    assert len(stream.shards) > 10


def test_two_mappings_read_a_stream_independently() -> None:
    stream, failing, other = stream_of(10), Remembering(ValueError("for ever")), Remembering()
    Simulator(failing, stream, Mapping(batch_size=5)).step()
    drained(Simulator(other, stream, Mapping(batch_size=5)))
    assert failing.batches == [[0, 1, 2, 3, 4]]
    assert other.batches == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
