"""After any history under any delivery, the aggregates are what an independent recount says."""

import json
from collections.abc import Callable
from decimal import Decimal
from random import Random

from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from delivery import Handler
from functions.store.table import Table
from tests.delivery.actual import actual, children
from tests.delivery.history import CHANGED, Change, Pass, Sources, histories
from tests.delivery.recount import Expected, recount
from tests.delivery.simulated import SimulatedMemory, SimulatedTable
from tests.support.http import Context
from tests.support.streams import window_event

Consume = Callable[[Table], Handler]
NewTable = Callable[[], SimulatedTable]
randoms = st.randoms(use_true_random=False)


def run(
    history: list[Change | Pass], table: SimulatedTable, consume: Consume, random: Random
) -> tuple[Expected, Expected]:
    """What the aggregates say at the end, and what they must say."""
    sources, simulator = Sources(table), table.delivered_to(consume(table), random)
    for happening in history:
        if isinstance(happening, Change):
            sources.change(happening)
        else:
            table.stream.clock.advance(happening.seconds)
            simulator.step()
    simulator.drain()
    note(str(simulator.history))
    return actual(table.all_items()), recount(*sources.counted())


many = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(history=histories(CHANGED), random=randoms)
@many
def test_aggregates_equal_the_recount(history: list[Change | Pass], random: Random, consume: Consume) -> None:
    table = SimulatedMemory(shards=4)
    found, expected = run(history, table, consume, random)
    assert found == expected
    below = {place: counts for place, counts in expected.places.items() if len(place) > 1}
    assert children(table.all_items()) == below


@given(history=histories(CHANGED), random=randoms)
@settings(many, max_examples=10, phases=[Phase.generate])
def test_so_they_do_on_dynamodb_local(
    history: list[Change | Pass], random: Random, engine_table: NewTable, consume: Consume
) -> None:
    found, expected = run(history, engine_table(), consume, random)
    assert found == expected


@given(history=histories((*CHANGED, "expire", "expire")), random=randoms)
@many
def test_what_expired_stays_counted(history: list[Change | Pass], random: Random, consume: Consume) -> None:
    """Extremes are left out: who takes one away after other sources expired asks for what nobody stores any more."""
    found, expected = run(history, SimulatedMemory(shards=4), consume, random)
    assert found.without_extremes() == expected.without_extremes()


def test_a_batch_that_cancels_itself_is_marked_as_absorbed(consume: Consume) -> None:
    """Else its second half, delivered again alone after a lost checkpoint, would be subtracted from nothing."""
    table = SimulatedMemory()
    sources, consumer, (shard,) = Sources(table), consume(table), table.stream.shards
    passed = len(shard.records)
    sources.change(Change("event", which=0, who=0, at=0, where=1, values={"temp": Decimal(1)}))
    sources.change(Change("delete", which=0, who=0, at=0, where=0, values={}))
    both = [json.loads(record.wire) for record in shard.records[passed:]]
    consumer(window_event(shard.id, both), Context())
    consumer(window_event(shard.id, both[1:]), Context())
    sources.change(Change("event", which=1, who=0, at=1, where=1, values={"temp": Decimal(2)}))
    table.delivered_to(consumer, Random(0)).drain()
    assert actual(table.all_items()) == recount(*sources.counted())
