"""A window's state that was lost: what waited in it is read again, a part at a time if there is much."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from delivery import NONE, Faults, Reads
from edgewise import clock
from edgewise.aggregates import keys
from edgewise.freshness.shards import Heartbeat, heartbeat_item
from edgewise.stream import again, consumer, dispatch
from edgewise.stream.again import Rereading, UnreadError, Until
from edgewise.stream.changes import Record
from edgewise.stream.invocation import UnfinishedRereadingError
from edgewise.stream.redrive import redrive
from edgewise.stream.register import change, register
from functions.catalog import FOLLOW_UPS
from functions.replay.memory import MemoryTable
from functions.systems.places.codec import resident_item
from functions.systems.places.entity import Resident
from functions.systems.telemetry.codec import event_item
from functions.systems.telemetry.entity import Reading
from tests.delivery.consuming import READS_ALL, Consume, Release, released
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.test_windowed import BAD, GOOD, reading
from tests.support.http import Context
from tests.support.streams import PRESENT, window_event

FIRST = 10**20
# How many records may be read before the time is over.
Behind = Callable[[int | None, Until], Iterator[Record]]


def shard(records: list[dict[str, Any]], most: int = 99) -> Behind:
    def behind(after: int | None, until: Until) -> Iterator[Record]:
        left = [each for each in records if int(each["dynamodb"]["SequenceNumber"]) > (after or 0)]
        for number, record in enumerate(left):
            if until.ends_before(record):
                return
            if number == most:
                raise UnreadError("shard", after, "no time is left")
            yield record

    return behind


def foreign(second: int, item: dict[str, Any]) -> dict[str, Any]:
    found = reading(second, GOOD)
    found["dynamodb"]["NewImage"] = {"PK": {"S": "x"}, "SK": {"S": "y"}} | item
    return found


@pytest.fixture
def table() -> MemoryTable:
    return MemoryTable()


def deliver(table: MemoryTable, consume: Consume, records: list[dict[str, Any]], behind: Behind, **more: Any) -> Any:
    with patch.object(again, "FROM_STREAM", Rereading(lambda *_: behind, again.parent)):
        return consume(table)(window_event("a", records, ends=False) | more, Context())


def position(table: MemoryTable) -> int | None:
    found = dispatch.position(table, "a")
    return found and found.sequence


def places(table: MemoryTable) -> int:
    return sum(item["Type"] == {"S": "PLACE"} for item in table.items.values())


def brought(table: MemoryTable) -> list[str]:
    item = table.items.get(keys.carrier(0, "a"), {})
    return [item["Carries"]["S"]] if "Carries" in item else []


def test_what_waited_is_taken_on_with_the_next_batch(table: MemoryTable, consume: Consume) -> None:
    everything = [reading(second, GOOD) for second in range(3)]
    answer = deliver(table, consume, everything[:2], shard(everything))
    assert answer["state"]["waiting"]
    again = deliver(table, consume, everything[2:], shard(everything))  # the state is lost
    deliver(table, consume, [], shard(everything), state=again["state"], isFinalInvokeForWindow=True)
    assert (position(table), brought(table)) == (FIRST + 2, ["2"])


def test_at_a_windows_end_too(table: MemoryTable, consume: Consume) -> None:
    everything = [reading(second, GOOD) for second in range(2)]
    deliver(table, consume, everything, shard(everything))
    answer = deliver(table, consume, [], shard(everything), isFinalInvokeForWindow=True)
    assert answer["state"] == {}
    assert (position(table), brought(table)) == (FIRST + 1, ["2"])


def test_much_of_it_is_taken_on_in_parts(table: MemoryTable, consume: Consume) -> None:
    """Each attempt begins where the one before it ended, also behind records that filters leave out."""
    left_out = [foreign(second, {"Type": {"S": "ROOM"}}) for second in range(7)]
    everything = [*left_out, reading(7, GOOD), reading(8, GOOD)]
    for reached in (2, 5):
        with pytest.raises(UnfinishedRereadingError):
            deliver(table, consume, everything[-1:], shard(everything, most=3))
        assert position(table) == FIRST + reached
    deliver(table, consume, everything[-1:], shard(everything, most=3), isFinalInvokeForWindow=True)
    assert (position(table), brought(table)) == (FIRST + 8, ["2"])


def test_no_more_than_lambda_delivers_at_most(table: MemoryTable, consume: Consume) -> None:
    everything = [reading(second, GOOD) for second in range(5)]
    with patch.object(consumer, "MOST_AGAIN", 2), pytest.raises(UnfinishedRereadingError):
        deliver(table, consume, everything[-1:], shard(everything))
    assert position(table) == FIRST + 1


def test_what_filters_leave_out_is_not_set_aside(table: MemoryTable, consume: Consume) -> None:
    everything = [foreign(0, {}), foreign(1, {"Type": {"S": "CARRIER"}}), reading(2, GOOD)]
    deliver(table, consume, everything[-1:], shard(everything), isFinalInvokeForWindow=True)
    assert register(table).count == 0


def test_nothing_behind_what_cannot_be_understood_is_taken_on_before_it_is_set_aside(
    table: MemoryTable, consume: Consume
) -> None:
    everything = [reading(0, GOOD), reading(1, BAD), reading(2, GOOD), reading(3, GOOD)]
    last = partial(deliver, table, consume, everything[-1:], shard(everything))
    with pytest.raises(UnfinishedRereadingError):
        last()
    assert (position(table), register(table).count) == (FIRST, 1)
    last(isFinalInvokeForWindow=True)
    assert (position(table), register(table).count) == (FIRST + 3, 1)


def test_a_read_that_ends_at_a_record_in_quarantine_leaves_it_to_its_redrive(
    table: MemoryTable, consume: Consume
) -> None:
    """If the position covered it, the carrier to group 0 would have absorbed it without what it changes."""
    everything = [reading(0, GOOD), *(foreign(second, {"Type": {"S": "ROOM"}}) for second in (1, 2))]
    with released() as releases:
        releases.current = Release(frozenset({"EVENT"}))
        deliver(table, consume, everything[:1], shard(everything), isFinalInvokeForWindow=True)
        with pytest.raises(UnfinishedRereadingError):
            deliver(table, consume, everything[-1:], shard(everything, most=1))
        releases.current = READS_ALL
        redrive(table, FOLLOW_UPS, "a", f"{FIRST:040}")
    assert (position(table), brought(table)) == (FIRST, ["2"])


def test_a_window_that_comes_again_in_a_quiet_shard_ends(consume: Consume) -> None:
    """The mapping is made anew: no window has its state, and the position is behind all that comes."""
    table = SimulatedMemory(shards=1)
    simulator = table.delivered_to(consume(table), Random(1))
    simulator.faults = NONE
    table.put_many([event_item(Reading("d", PRESENT, "e", ("US", "NY"), {"temp": Decimal(1)}))])
    simulator.drain()
    before = table.all_items()
    simulator.renew()
    simulator.drain()
    assert [entry.outcome for entry in simulator.history.entries if "failed" in entry.outcome] == []
    assert table.all_items() == before


def test_empty_pages_before_a_batch_are_never_its_beginning(consume: Consume) -> None:
    """What waited in front of it would be lost, and nobody would know."""
    table = SimulatedMemory(shards=1)
    table.reads = Reads(table.stream, empty=(again.EMPTY_PAGES, 3))
    table.put_many([item["dynamodb"]["NewImage"] for item in (reading(0, GOOD), reading(1, GOOD))])
    (shard,) = table.stream.shards
    last = window_event(shard.id.removeprefix("shardId-"), [shard.records[-1].form])
    consumer = consume(table)
    with pytest.raises(UnfinishedRereadingError, match=f"{again.EMPTY_PAGES} empty pages"):
        consumer(last, Context())
    consumer(last, Context())
    found = dispatch.position(table, shard.id.removeprefix("shardId-"))
    assert found
    assert found.sequence == shard.records[1].sequence


def test_a_closed_shard_is_read_to_its_end_however_many_pages_are_empty(consume: Consume) -> None:
    """Of an open shard, some empty pages behind the window are its end for now; nobody comes back to a closed one."""
    table = SimulatedMemory(shards=1)
    table.reads = Reads(table.stream, empty=(again.QUIET_PAGES + 1,))
    (parent,) = table.stream.shards
    consumer = consume(table)
    table.put_many([reading(0, GOOD)["dynamodb"]["NewImage"]])
    consumer(window_event(parent.id.removeprefix("shardId-"), [parent.records[0].form]), Context())
    table.put_many([reading(second, GOOD)["dynamodb"]["NewImage"] for second in (1, 2)])
    last = parent.records[-1].sequence
    child = table.stream.roll_over(parent)
    table.put_many([reading(3, GOOD)["dynamodb"]["NewImage"]])
    consumer(window_event(child.id.removeprefix("shardId-"), [child.records[0].form], ends=False), Context())
    found = dispatch.position(table, parent.id.removeprefix("shardId-"))
    assert found
    assert found.sequence >= last


def test_a_window_that_a_closed_shard_has_lost_ends_with_the_first_batch_of_the_next(consume: Consume) -> None:
    """Also if nothing was delivered of the shard between the two."""
    table = SimulatedMemory(shards=1)
    simulator = table.delivered_to(consume(table), Random(1))
    simulator.faults = Faults(window_lost=0.99)
    table.put_many([resident_item(Resident("EQUIPMENT", "pump", ("US", "NY")))])
    table.stream.roll_over(table.stream.roll_over(table.stream.shards[0]))
    simulator.drain()
    assert (simulator.windows_lost, places(table)) == (1, 0)
    simulator.faults = NONE
    table.put_many([heartbeat_item(Heartbeat("x", PRESENT))])
    simulator.drain()
    assert places(table) == 2


@pytest.mark.parametrize("seconds", [[0, 1, 2, 1], [0, 1, 2, 0], [1, 0, 1, 2]], ids=str)
def test_a_record_that_comes_twice_in_a_batch_does_not_move_the_position_back(
    table: MemoryTable, consume: Consume, seconds: list[int]
) -> None:
    """Nor does it make a shard wait for what lies before the batch's first record, if that came later."""
    by_second = [reading(0, GOOD), *(foreign(second, {"Type": {"S": "ROOM"}}) for second in (1, 2))]
    deliver(table, consume, [by_second[second] for second in seconds], shard([]), isFinalInvokeForWindow=True)
    assert position(table) == FIRST + 2


def test_what_was_announced_of_a_record_that_is_read_again_is_settled_though_no_batch_has_it(
    table: MemoryTable, consume: Consume
) -> None:
    """The shard may be closed: no other batch would end the doubt."""
    everything = [reading(0, GOOD), reading(1, GOOD)]
    announced = {f"{FIRST + 1:040}": {"TOTAL"}}
    with patch.object(clock, "now", lambda: PRESENT):
        change(table, lambda known: known.with_doubts("a", announced, PRESENT))
    deliver(table, consume, [], shard(everything), isFinalInvokeForWindow=True)
    assert register(table).announced("a") == set()
