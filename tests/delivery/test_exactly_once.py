"""After any history under any delivery, the aggregates are what an independent recount says."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings

from functions.store.table import Table
from tests.delivery.actual import actual, children
from tests.delivery.history import CHANGED, Change, Sources, histories
from tests.delivery.hostile import Delivery, FragileMemory, FragileTable, Step
from tests.delivery.recount import Expected, recount

Consume = Callable[[Table], Callable[[dict[str, Any]], Any]]
NewTable = Callable[[], FragileTable]


def run(history: list[Change | Step], table: FragileTable, consume: Consume) -> tuple[Expected, Expected]:
    """What the aggregates say at the end, and what they must say."""
    sources, delivery = Sources(table), Delivery(table, consume(table))
    for happening in history:
        if isinstance(happening, Change):
            sources.change(happening)
        else:
            delivery.step(happening)
    delivery.drain()
    return actual(table.all_items()), recount(*sources.counted())


many = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(history=histories(CHANGED))
@many
def test_aggregates_equal_the_recount(history: list[Change | Step], consume: Consume) -> None:
    table = FragileMemory(shards=4)
    found, expected = run(history, table, consume)
    assert found == expected
    below = {place: counts for place, counts in expected.places.items() if len(place) > 1}
    assert children(table.all_items()) == below


@given(history=histories(CHANGED))
@settings(many, max_examples=10, phases=[Phase.generate])
def test_so_they_do_on_dynamodb_local(history: list[Change | Step], engine_table: NewTable, consume: Consume) -> None:
    found, expected = run(history, engine_table(), consume)
    assert found == expected


@given(history=histories((*CHANGED, "expire", "expire")))
@many
def test_what_expired_stays_counted(history: list[Change | Step], consume: Consume) -> None:
    """Extremes are left out: who takes one away after other sources expired asks for what nobody stores any more."""
    found, expected = run(history, FragileMemory(shards=4), consume)
    assert found.without_extremes() == expected.without_extremes()


def test_a_batch_that_cancels_itself_is_marked_as_absorbed(consume: Consume) -> None:
    """Else its second half, delivered again alone after a lost checkpoint, would be subtracted from nothing."""
    come = Change("event", which=0, who=0, at=0, where=1, values={"temp": Decimal(1)})
    gone = Change("delete", which=0, who=0, at=0, where=0, values={})
    both, again = (
        (Step(lane, 2, "plain", 0, 0) for lane in range(4)),
        (Step(lane, 1, "zombie", 1, 0) for lane in range(4)),
    )
    stays = Change("event", which=1, who=0, at=1, where=1, values={"temp": Decimal(2)})
    found, expected = run([come, gone, *both, *again, stays], FragileMemory(shards=4), consume)
    assert found == expected
