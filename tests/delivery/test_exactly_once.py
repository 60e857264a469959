"""Small histories, each for one thing that must not go wrong. The rest is in test_world.py."""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from random import Random

import pytest

from delivery import NONE, Fault, Handler, KilledError, Shard
from delivery.invocation import Invocation
from edgewise.dynamodb.attributes import key_of
from edgewise.stream.quarantine import page
from edgewise.stream.redrive import redrive
from functions.catalog import FOLLOW_UPS
from functions.systems.telemetry.codec import event_item
from functions.systems.telemetry.entity import Reading
from tests.delivery.consuming import READS_ALL, Consume, Release, released
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.stories.telemetry import START, STORY, Sent
from tests.support.http import Context
from tests.support.streams import window_event


def reading(number: int) -> Sent:
    return Sent("d", START + number, ("US", "NY"), {"temp": Decimal(number)})


def store(table: SimulatedMemory, readings: Sequence[Sent]) -> None:
    table.put_many([event_item(Reading(each.device, each.at, "e", each.place, each.metrics)) for each in readings])


def deliver(consumer: Handler, shard: Shard, start: int) -> None:
    """The records from `start` on in one batch."""
    records = [record.form for record in shard.records[start:]]
    consumer(window_event(shard.id.removeprefix("shardId-"), records), Context())


def test_a_batch_that_cancels_itself_is_marked_as_absorbed(consume: Consume) -> None:
    """Else its second half, delivered again alone after a lost checkpoint, would be subtracted from nothing."""
    table = SimulatedMemory(shards=1)
    consumer, (shard,) = consume(table), table.stream.shards
    store(table, [reading(0)])
    table.delete(key_of(table.all_items()[0]))
    deliver(consumer, shard, 0)
    deliver(consumer, shard, 1)
    store(table, [reading(1)])
    table.delivered_to(consumer, Random(0)).drain()
    assert STORY.actual(table.all_items()) == STORY.recount([reading(1)])


@pytest.mark.parametrize("fault", [Fault.KILLED_BEFORE, Fault.KILLED_AFTER])
@pytest.mark.parametrize("write", range(1, 12))
def test_what_stands_before_a_record_in_quarantine_is_in(write: int, fault: Fault, consume: Consume) -> None:
    """A redrive moves the checkpoints to it: what the dead consumer had not absorbed before it would be lost."""
    table = SimulatedMemory(shards=1)
    table.faults = NONE
    consumer, (shard,), readings = consume(table), table.stream.shards, [reading(number) for number in range(8)]
    store(table, readings)
    with released() as releases:
        releases.current = Release(frozenset({"EVENT"}), some=True)
        assert 0 < sum(releases.current.reads("EVENT", item) for item in table.all_items()) < len(readings)
        table.hook = Invocation(fault, write, lambda _: None)
        with suppress(KilledError):
            deliver(consumer, shard, 0)
        simulator = table.delivered_to(consumer, Random(0))
        releases.current = READS_ALL
        redrive_all(table)
        simulator.drain()
        redrive_all(table)
        simulator.drain()
    assert STORY.actual(table.all_items()) == STORY.recount(readings)


def redrive_all(table: SimulatedMemory) -> None:
    for quarantined in page(table, 1000, None)[0]:
        redrive(table, FOLLOW_UPS, quarantined.shard, quarantined.sequence)
