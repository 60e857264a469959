"""Every mutant of checks and repairs is caught by a history: what it lacks does not stand in the program in vain."""

from collections.abc import Callable, Mapping
from itertools import chain, count
from pathlib import Path

import pytest

from batch import comparing, judging, marks, waiting
from batch.gathering import Gathering
from batch.waiting import Links
from edgewise.aggregates import additions
from edgewise.aggregates.aggregate import Aggregate
from edgewise.stream import put_right, repairs
from tests.batch.test_come_again import test_of_two_plans_that_add_the_same_one_counts as two_plans
from tests.batch.test_come_again import test_records_from_before_a_plan_come_again as come_again
from tests.batch.test_consequences import test_what_is_right_stays_right as unharmed
from tests.batch.test_derived_repairs import (
    test_what_is_derived_wrongly_is_put_right_beside_the_stream as derived_repaired,
)
from tests.batch.test_in_flight import (
    test_nothing_is_wrong_at_any_instant as in_flight,
)
from tests.batch.test_repairs import test_what_is_wrong_is_put_right_beside_the_stream as repaired
from tests.batch.test_restore import test_a_restored_table_is_exact_again_after_a_repair as restored
from tests.delivery.mutants.changes import Edit
from tests.support.reach import noting

History = Callable[[int, Path], None]
SEEDS = range(40)
# Seeds that are tried before the others, because it takes long until these find a mutant.
FIRST = {
    "a plan adds what is missing against the sources": 50,
    "a repair waits for nobody": 27,
    "what is right although it changes is no reason to wait": 37,
    "an item may be in any shard": 14,
    "an item stays in a shard that its list does not have": 14,
    "what is open is no reason to wait": 27,
    "every attempt to repair counts": 2,
    "index entries may say anything": 18,
    "what is open for an aggregate does not matter": 11,
    "records from before a plan come again to items that it does not know": 19,
    "extremes are never in doubt": 3,
}
MUTANTS: Mapping[str, tuple[History, Edit]] = {
    "an aggregate that was written around the instant is settled": (
        in_flight,
        Edit(marks.of_changes, "in _written(change)", "in ()"),
    ),
    "what enters quarantine after the instant is settled": (
        in_flight,
        Edit(marks.of_changes, "if is_set_aside(image)", "if False"),
    ),
    "a plan adds to whatever it finds": (
        two_plans,
        Edit(Aggregate.is_known_to, "known - later <= plan.knew.get(self.id, frozenset())", "True"),
    ),
    "records from before a plan come again to items that it does not know": (
        come_again,
        Edit(Aggregate.is_known_to, "known - later <= plan.knew.get(self.id, frozenset())", "True"),
    ),
    "every attempt to repair counts": (
        repaired,
        Edit(repairs.apply, "table, REPAIRS,", "table, f'repairs {next(attempts)}',", {"attempts": count()}),
    ),
    "a plan adds what is missing against the sources": (
        repaired,
        Edit(
            comparing._compared,
            "addition(below.stored.cells, below.recounted, of.closing)",
            "addition(sources.stored.cells, sources.recounted, of.closing)",
        ),
    ),
    "a repair waits for nobody": (
        unharmed,
        Edit(Links.divided, "waits = group in waiting and", "waits = False and"),
    ),
    "what is open is no reason to wait": (
        unharmed,
        Edit(waiting.uncertain, "row.close or row.kind in unplanned", "row.kind in unplanned"),
    ),
    "what is right although it changes is no reason to wait": (
        unharmed,
        Edit(waiting.uncertain, "row.unsettled", "(row.unsettled and row.why != 'equal')"),
    ),
    "an item may be in any shard": (
        derived_repaired,
        Edit(judging._sharded, "number > there", "False"),
    ),
    "an item stays in a shard that its list does not have": (
        derived_repaired,
        Edit(put_right._shard, "found.number > there", "False"),
    ),
    "index entries may say anything": (
        derived_repaired,
        Edit(Gathering._see, "not same(right", "False and not same(right"),
    ),
    "extremes are never in doubt": (
        repaired,
        Edit(additions._added, "right.counts and both != Extremes()", "False"),
    ),
    "what is open for an aggregate does not matter": (
        restored,
        Edit(comparing._compared, "close=bool(of.opened and adds)", "close=False"),
    ),
}


def is_exact(history: History, seed: int, folder: Path) -> bool:
    try:
        history(seed, folder)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("name", MUTANTS)
def test_is_caught(name: str, tmp_path: Path) -> None:
    history, edit = MUTANTS[name]
    seeds = chain([FIRST.get(name, 0)], SEEDS)
    with edit.made():
        caught = next((seed for seed in seeds if not is_exact(history, seed, tmp_path)), None)
    assert caught is not None, f"nobody notices that {name}"
    assert is_exact(history, caught, tmp_path), f"with seed {caught} the program is wrong too"
    noting.expect(*edit.place)
