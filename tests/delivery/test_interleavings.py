"""In every order of a few actors' requests, up to a bound, the aggregates are what an independent recount says."""

from dataclasses import replace

import pytest

from tests.delivery.interleavings.explore import explore
from tests.delivery.interleavings.opened import AT_A_PLACE, CLOSINGS
from tests.delivery.interleavings.scenario import Scenario
from tests.delivery.interleavings.scenarios import FAST


@pytest.mark.parametrize("scenario", FAST, ids=lambda scenario: scenario.name)
def test_every_history_ends_well(scenario: Scenario) -> None:
    explored = explore(scenario)
    assert not explored.wrong, explored.wrong
    assert explored.histories > 1000


def test_what_feeds_others_must_have_a_shard() -> None:
    """Else a scenario would pass over what programs write."""
    unread = replace(AT_A_PLACE, shards={"a": AT_A_PLACE.shards["a"], CLOSINGS: []})
    with pytest.raises(AssertionError, match=r"PLACE#FR.* feeds others, and has no shard"):
        explore(unread)
