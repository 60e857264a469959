"""Rankings under any delivery: their first places are those of a recount, after prunes, refills and crashes."""

from dataclasses import replace

import pytest

from delivery import HOSTILE, NONE, Faults
from tests.delivery.consuming import Consume
from tests.delivery.mutants.rankings import RANKED
from tests.support.histories import share

HISTORIES = share(60)


@pytest.mark.parametrize("faults", [NONE, HOSTILE], ids=["undisturbed", "hostile"])
def test_the_first_places_are_those_of_a_recount(consume: Consume, faults: Faults) -> None:
    trial = replace(RANKED, faults=faults)
    wrong = [seed for seed in range(HISTORIES) if not trial.is_exact(seed, consume)]
    assert wrong == []
