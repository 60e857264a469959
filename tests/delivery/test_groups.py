"""While the number of carriers' groups grows: the same histories and faults, the same numbers."""

from collections.abc import Callable
from random import Random

import pytest

from edgewise.stream.register import register
from tests.delivery import world
from tests.delivery.consuming import Consume
from tests.delivery.growing import growing
from tests.delivery.simulated import SimulatedMemory, SimulatedTable

HAPPENINGS = 60


def run(random: Random, table: SimulatedTable, consume: Consume) -> world.Outcome:
    with growing():
        outcome = world.run(random, table, consume, HAPPENINGS)
    assert register(table).groups.most > 1, "the number grew"
    return outcome


@pytest.mark.histories(30)
def test_aggregates_equal_the_recount(seed: int, consume: Consume) -> None:
    outcome = run(Random(seed), SimulatedMemory(shards=4), consume)
    assert outcome.found == outcome.expected


@pytest.mark.histories(2)
def test_so_they_do_on_dynamodb_local(seed: int, consume: Consume, engine_table: Callable[[], SimulatedTable]) -> None:
    outcome = run(Random(seed), engine_table(), consume)
    assert outcome.found == outcome.expected
