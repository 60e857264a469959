"""Every mutant of the consumer makes the aggregates wrong, by just the faults that it names; the program does not."""

from dataclasses import replace

import pytest

from delivery import HOSTILE
from edgewise.aggregates.checkpoints import Checkpoint
from tests.delivery.consuming import Consume
from tests.delivery.mutants import MUTANTS
from tests.delivery.mutants.changes import Edit, LostPlaceError
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.seeds import KNOWN, first_caught
from tests.delivery.mutants.trial import Trial
from tests.support.reach import noting

FAULTY = [mutant for mutant in MUTANTS if mutant.caught_by != mutant.caught_by.undisturbed]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_is_caught(mutant: Mutant, consume: Consume) -> None:
    seed = first_caught(mutant, consume)
    assert seed is not None, f"nobody notices that {mutant.name}"
    assert mutant.caught_by.is_exact(seed, consume), f"with seed {seed} the program is wrong too"
    for change in mutant.changes:
        noting.expect(*change.place)


@pytest.mark.parametrize("mutant", FAULTY, ids=lambda mutant: mutant.name)
def test_is_caught_by_its_faults(mutant: Mutant, consume: Consume) -> None:
    """Without them nobody notices: because of them the program has what the mutant lacks."""
    with mutant.lives():
        assert all(mutant.caught_by.undisturbed.is_exact(seed, consume) for seed in range(3))


def test_seeds_are_of_these_mutants() -> None:
    """A seed that catches no longer costs time only; run `python -m tests.delivery.mutants.seeds` then."""
    assert KNOWN.keys() == {mutant.name for mutant in MUTANTS}


def test_what_changes_nothing_is_not_caught(consume: Consume) -> None:
    nothing = Mutant("nothing is changed", replace(Trial(), faults=HOSTILE), Edit(Checkpoint.covers, "<=", "<="))
    with nothing.lives():
        assert all(nothing.caught_by.is_exact(seed, consume) for seed in range(15))


def test_a_mutant_of_other_code_is_refused() -> None:
    for before in ("no such text", "self"):
        with pytest.raises(LostPlaceError), Edit(Checkpoint.covers, before, "").made():
            pytest.fail("it was made")


def test_the_program_is_itself_again() -> None:
    with Edit(Checkpoint.covers, "return", "return not").made():
        assert not Checkpoint(2, 0).covers(1)
    assert Checkpoint(2, 0).covers(1)
