"""The scenarios are explored in processes of their own, whatever their declarations hold."""

from benchmarks.proofs import orders
from tests.delivery.interleavings.scenarios import LARGE


def test_a_scenario_is_explored_in_another_process() -> None:
    ended, few = list[int](), [each for each in LARGE if each.name == "emptied, long times twice"]
    table = orders.measure(ended.append, few)
    assert (table.failed, ended) == (False, [1])
    name, states, *_ = table.rows[0]
    assert (name, int(states.replace(",", "")) > 1_000) == (few[0].name, True)


def test_each_scenario_has_a_name_of_its_own() -> None:
    assert len({scenario.name for scenario in LARGE}) == len(LARGE)
