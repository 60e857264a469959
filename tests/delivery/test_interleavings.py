"""In every order of a few actors' requests, up to a bound, the aggregates are what an independent recount says."""

import pytest

from tests.delivery.interleavings.explore import explore
from tests.delivery.interleavings.scenario import Scenario
from tests.delivery.interleavings.scenarios import FAST


@pytest.mark.parametrize("scenario", FAST, ids=lambda scenario: scenario.name)
def test_every_history_ends_well(scenario: Scenario) -> None:
    explored = explore(scenario)
    assert not explored.wrong, explored.wrong
    assert explored.histories > 1000
