"""What is derived is put right beside the stream, its faults and their own: in the end, everything is exact."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from delivery import Fault, KilledError
from delivery.invocation import Invocation
from functions.catalog import CATALOG, DERIVATIONS
from functions.dynamodb.attributes import Item, key_of
from functions.dynamodb.throttling import ThrottledError
from functions.stream import put_right
from tests.batch.histories import checked, happen, pass_by, settled, snapshot, world
from tests.batch.test_derived import spoilt, wrong
from tests.delivery.consuming import READS_ALL
from tests.delivery.world import World

FAULTS = (None, Fault.KILLED_BEFORE, Fault.KILLED_AFTER, Fault.WRITE_REPEATED, Fault.THROTTLED, Fault.RACED)
Plan = Sequence[Any]


def renamed(random: Random, item: Item) -> Item | None:
    """A ranking without one of its names, with one too many, or lost as a whole."""
    names = item["Names"]["SS"]
    rest = {name: value for name, value in item.items() if name != "Names"}
    fewer = sorted(set(names) - {random.choice(names)})
    return random.choice(
        (None, rest | ({"Names": {"SS": fewer}} if fewer else {}), item | {"Names": {"SS": [*names, "person#x"]}})
    )


def lost(_: Random, __: Item) -> None:
    """A part of a roster that is lost."""


def drift_of(item: Item) -> Callable[[Random, Item], Item | None]:
    return renamed if "Names" in item else lost if "Members" in item else spoilt


def plant(random: Random, of: World, number: int) -> None:
    """Make so many derived things wrong behind the stream's back."""
    left_out = ("RESIDENT", "BILLED")  # the place of a resident is nowhere else; of copies, see test_copies.py
    items = [item for item in of.table.all_items() if item["Type"]["S"] not in left_out and "Unsure" not in item]
    ours = [item for item in items if item["Type"]["S"] != "RANKING" or {"Names", "Members"} & item.keys()]
    of_rankings = [item for item in ours if item["Type"]["S"] == "RANKING"]
    for item in random.sample(ours, number) + random.sample(of_rankings, min(2, len(of_rankings))):
        planted, stored = drift_of(item)(random, item), of.table.items  # type: ignore[attr-defined]
        if planted:
            stored[key_of(item)] = planted
        else:
            stored.pop(key_of(item), None)


def attempt(random: Random, of: World, plan: Plan) -> None:
    """Apply the plan; the process may die at a write, and the stream or another attempt may run beside it."""

    def beside(_: object) -> None:
        interrupted, of.table.hook = of.table.hook, of.simulator.writes
        try:
            if random.choice((False, True)):
                of.simulator.step()
            else:
                apply(of, plan)
        except (KilledError, ThrottledError):
            pass
        finally:
            of.table.hook = interrupted

    hook, of.table.hook = of.table.hook, Invocation(random.choice(FAULTS), random.randint(1, 8), beside)
    try:
        apply(of, plan)
    except (KilledError, ThrottledError):
        pass
    finally:
        of.table.hook = hook


def apply(of: World, plan: Plan) -> None:
    put_right.apply(of.table, CATALOG, DERIVATIONS, plan, lambda: True)


def plan_of(found: Any) -> Plan:
    return [each.repair for each in wrong(found)]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_derived_wrongly_is_put_right_beside_the_stream(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    with world(random) as each:
        happen(random, each, random.randint(10, 60))
        each.settle()
        plant(random, each, random.randint(1, 9))
        before, at, _ = snapshot(each), snapshot(each), pass_by(each)
        happen(random, each, random.randint(0, 3))
        each.drain()
        found = checked(each, tmp_path, at, before, snapshot(each))
        plan, planned = plan_of(found), {astray.key for astray in wrong(found)}
        for _ in range(random.randint(0, 4)):
            attempt(random, each, plan)
            happen(random, each, random.randint(0, 3))
        each.releases.current = READS_ALL
        apply(each, plan)
        happen(random, each, random.randint(0, 10))
        rest, _ = settled(each, tmp_path)
        assert planned
        assert planned & {astray.key for astray in wrong(rest)} == set()
        apply(each, plan_of(rest))  # what was in doubt
        found, _ = settled(each, tmp_path)
        outcome = each.outcome()
    assert wrong(found) == []
    assert found.differing == []
    assert outcome.found == outcome.expected
