"""With slots, and while their number changes: the same histories under the same faults, the same numbers."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest

from functions.domain.catalog import delivered_types
from functions.domain.slots import Slots, Step
from functions.domain.times import EARLIEST, SECOND
from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.store.redrive import redrive
from functions.store.table import Table
from tests.delivery import world
from tests.delivery.consuming import Consume
from tests.delivery.simulated import MAPPING, SimulatedMemory, SimulatedTable

HAPPENINGS = 60
NUMBERS = (1, 2, 3, 8)
# Seconds between a deployment and the instant from which its step counts.
LEAD = 20


@contextmanager
def deployed(table: SimulatedTable, history: Slots) -> Iterator[None]:
    """What is deployed: the filters of a deployment with slots, and steps that are known shortly before they count."""
    wanted = {"Type": {"S": sorted(delivered_types(history))}}
    filters = [{"dynamodb": {image: wanted}} for image in ("NewImage", "OldImage")]
    table.mapping = replace(MAPPING, filters=filters)

    def now() -> Slots:
        soon = (table.stream.clock.now + LEAD) * SECOND
        return Slots(tuple(step for step in history.steps if step.since <= soon))

    def redriven(table: Table, lane: str, sequence: str) -> None:
        redrive(table, lane, sequence, now())

    with (
        patch.object(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "shard", slots=str(now()))),
        patch.object(world, "redrive", redriven),
    ):
        yield


def some_slots(random: Random, start: float) -> Slots:
    """Two steps while there is much to deliver; the number grows or falls."""
    first, second, third = random.sample(NUMBERS, 3)
    since = int(start) + random.randint(LEAD, 60)
    later = since + random.choice((1, 60, 3600))
    return Slots((Step(EARLIEST, first), Step(since * SECOND, second), Step(later * SECOND, third)))


def run(random: Random, table: SimulatedTable, consume: Consume) -> world.Outcome:
    with deployed(table, some_slots(random, table.stream.clock.now)):
        return world.run(random, table, consume, HAPPENINGS)


@pytest.mark.parametrize("seed", range(30))
def test_aggregates_equal_the_recount(seed: int, consume: Consume) -> None:
    outcome = run(Random(seed), SimulatedMemory(shards=4), consume)
    assert outcome.found == outcome.expected


@pytest.mark.parametrize("seed", range(2))
def test_so_they_do_on_dynamodb_local(seed: int, consume: Consume, engine_table: Callable[[], SimulatedTable]) -> None:
    outcome = run(Random(seed), engine_table(), consume)
    assert outcome.found == outcome.expected
