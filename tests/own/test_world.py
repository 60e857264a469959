"""Whatever happens to somebody's own table, nothing is called complete that is not so, and everything comes to an end.

`make prove` lives more and longer histories. Planted faults show that these find what they are there for.
"""

import pytest

from edgewise.stream import consumer
from edgewise.views import reading
from edgewise.views.keeping import Kept
from tests.delivery.mutants.changes import Edit
from tests.own.simulated import EndlessError
from tests.own.world import WrongError, alone

HAPPENINGS = 15
# Most are found by the first or the second; each change of the engine makes other histories of the same seeds.
TRIED = range(8)
PLANTED = {
    "an order counts in its first set only": Edit(
        Kept._groups, "self.cells.takes(item)", "self.declared.where is None and self.cells.takes(item)"
    ),
    "doubts make nothing incomplete": Edit(reading._row, " or doubts.concern(known.names, kept.main.at(key))", ""),
    "different values are complete without an instant": Edit(
        reading._common, "kept.plan.is_direct, bool(kept.below)", "kept.plan.is_direct, False"
    ),
    "a quiet shard is searched for what its position covers": Edit(
        consumer._lost, "before <= reached.sequence", "False"
    ),
}


def fault(seed: int) -> str:
    """What is wrong with a history; empty if nothing is."""
    with alone(seed) as world:
        try:
            world.live(HAPPENINGS)
        except (WrongError, EndlessError) as error:
            return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.histories(8)
def test_no_answer_is_wrong_and_everything_ends(seed: int) -> None:
    assert fault(seed) == ""


@pytest.mark.parametrize("planted", PLANTED.values(), ids=list(PLANTED))
def test_a_planted_fault_is_found(planted: Edit) -> None:
    with planted.made():
        assert any(map(fault, TRIED))


def test_a_history_is_the_same_each_time() -> None:
    """Or nobody could look at what was found."""

    def numbers() -> list[int]:
        with alone(3) as world:
            world.live(2)
        return [*(each.history.deliveries for each in world.simulators), world.reader.answers]

    assert numbers() == numbers()
