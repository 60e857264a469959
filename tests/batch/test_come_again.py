"""What a plan adds counts once, also where records of before come again, or another plan adds the same."""

from pathlib import Path
from random import Random

import pytest

from batch.reconcile import Check
from edgewise.aggregates.checkpoints import REPAIRS
from edgewise.aggregates.packed_checkpoints import unpack
from edgewise.dynamodb.keys import Key
from edgewise.stream import repairs
from edgewise.stream.register import register
from edgewise.times import Millis
from tests.batch.histories import checked, come_again, happen, pass_by, settled, snapshot, world
from tests.batch.test_backfill import FEEDS, backfilling, before_declaring
from tests.batch.test_repairs import plan_of, plant, repaired
from tests.delivery.world import World

# Whatever has an open part is declared from the beginning (docs/exactly-once.md, Repairs).
LATER = [(kind, feed) for kind, feed in FEEDS if not kind.open_hours]


def found_now(random: Random, of: World, folder: Path) -> tuple[Check, Millis]:
    """A check of the table as it is now, while some things happen; and its instant."""
    at, instant = snapshot(of), pass_by(of)
    happen(random, of, random.randint(0, 2))
    of.drain()
    return checked(of, folder, at, at, snapshot(of)), instant


def has_absorbed(of: World, key: Key, instant: Millis) -> bool:
    """Whether the plan of this instant was the last that the aggregate has absorbed, and it does not say that it lacks
    something: a carrier may have brought it both what the plan has counted and what it has not.
    """
    last = unpack(of.table.items[key]["Seqs"]["B"]).get(REPAIRS) if key in of.table.items else None  # type: ignore[attr-defined]
    return last is not None and last.sequence == instant and "Lacks" not in of.table.items[key]  # type: ignore[attr-defined]


@pytest.mark.histories(16)
def test_records_from_before_a_plan_come_again(seed: int, tmp_path: Path) -> None:
    """Before the plan is applied, or after it: what has absorbed it is right; the rest is left to the next plan."""
    random = Random(seed)
    later = random.sample(LATER, random.randint(1, len(LATER)))
    with world(random) as each, backfilling(later):
        with before_declaring(later):
            happen(random, each, random.randint(10, 60))
        happen(random, each, random.randint(0, 10))
        found, instant = found_now(random, each, tmp_path)
        if random.choice((False, True)):
            come_again(random, each)
        repaired(random, each, found, instant)
        come_again(random, each)
        rest, then = settled(each, tmp_path)
        assert [line.key for line in rest.plan if has_absorbed(each, line.key, instant)] == []
        for _ in range(2):
            repairs.apply(each.table, register(each.table), then, plan_of(rest), lambda: True)
            rest, then = settled(each, tmp_path)
        outcome = each.outcome()
    assert rest.differing == []
    assert outcome.found == outcome.expected


@pytest.mark.histories(8)
def test_of_two_plans_that_add_the_same_one_counts(seed: int, tmp_path: Path) -> None:
    """Both are made before either is applied, and applied in any order."""
    random = Random(seed)
    with world(random) as each:
        happen(random, each, random.randint(10, 60))
        each.settle()
        plant(random, each, random.randint(1, 5))
        plans = [found_now(random, each, tmp_path) for _ in range(2)]
        for found, instant in random.sample(plans, 2):
            repairs.apply(each.table, register(each.table), instant, plan_of(found), lambda: True)
        rest, _ = settled(each, tmp_path)
    one, other = ({line.key for line in found.plan if not line.close} for found, _ in plans)
    assert one & other & {line.key for line in rest.plan} == set()
