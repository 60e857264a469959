"""Changes of states cost one unit for each copy that is needed, and one for each aggregate and batch."""

import pytest

from benchmarks import engine
from benchmarks.levels import Cost, measure, table


@pytest.fixture(scope="module")
def costs() -> dict[str, Cost]:
    with engine.running():
        return {cost.shape.name: cost for cost in measure((10,))}


def test_no_change_costs_a_tenth_more_than_it_must(costs: dict[str, Cost]) -> None:
    assert len(costs) == 8
    assert {name: cost.ratio for name, cost in costs.items() if cost.ratio > 1.1} == {}
    assert not table(list(costs.values())).failed
    assert table([costs["ladder: two levels"]._replace(passes=2)]).failed


def test_each_copy_that_is_needed_is_made(costs: dict[str, Cost]) -> None:
    assert {name: cost.copies for name, cost in costs.items()} == {
        name: each.shape.told for name, each in costs.items()
    }
