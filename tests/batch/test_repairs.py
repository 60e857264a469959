"""Repairs beside the stream, its faults and their own: in the end, everything is exact."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from batch import results
from batch.reconcile import Check
from delivery import Fault, KilledError
from delivery.invocation import Invocation
from edgewise.aggregates import additions, knew
from edgewise.aggregates.cells import pack, unpack
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.stream import repairs
from edgewise.stream.register import register
from edgewise.stream.repairs import Line
from functions.catalog import CATALOG
from tests.batch.histories import checked_with_drift, happen, settled, world
from tests.delivery.consuming import READS_ALL
from tests.delivery.world import World

FAULTS = (None, Fault.KILLED_BEFORE, Fault.KILLED_AFTER, Fault.WRITE_REPEATED, Fault.THROTTLED, Fault.RACED)
Plan = Sequence[Line]
DRIFTS: Sequence[Callable[[Cell], Cell]] = (
    lambda cell: replace(cell, count=cell.count + 3),
    lambda cell: replace(cell, count=cell.count - 2),
    lambda _: Cell(),
)


def plan_of(found: Check) -> Plan:
    """The plan as whoever applies it reads it from its file."""
    lines = [line for part in results.plans(CATALOG, found) for line in part]
    plain = [json.loads(json.dumps(results.planned(each))) for each in lines]
    return [_line(CATALOG.named(line["about"]), line) for line in plain]


def _line(about: AggregateId, plain: Any) -> Line:
    return Line(
        about, additions.of_plain(plain["adds"]), plain["close"], knew.of_plain(about, plain["knew"]), plain["together"]
    )


def drifted(random: Random, item: Item) -> Item:
    """The item with another number in one cell, of which nothing in the stream tells."""
    name = random.choice(sorted(item["Cells"]["M"]))
    cell = random.choice(DRIFTS)(unpack(item["Cells"]["M"][name], 0))
    cells = {**item["Cells"]["M"], name: pack(cell, 0)}
    if cell == Cell() and not CATALOG.kinds[item["Type"]["S"]].unbounded:
        del cells[name]  # only names that users chose are kept when they count nothing
    rest = {attribute: value for attribute, value in item.items() if attribute != "Cells"}
    return rest | ({"Cells": {"M": cells}} if cells else {})


def plant(random: Random, of: World, number: int) -> None:
    """Make so many aggregates wrong behind the stream's back."""
    aggregates = [item for item in of.table.all_items() if "Cells" in item and item["Type"]["S"] in CATALOG.kinds]
    for item in random.sample(aggregates, min(number, len(aggregates))):
        of.table.items[key_of(item)] = drifted(random, item)  # type: ignore[attr-defined]


def attempt(random: Random, of: World, plan: Plan, at: int) -> None:
    """Apply the plan; the process may die at a write, and the stream or another attempt may run beside it."""

    def beside(_: object) -> None:
        interrupted, of.table.hook = of.table.hook, of.simulator.writes
        try:
            if random.choice((False, True)):
                of.simulator.step()
            else:
                repairs.apply(of.table, register(of.table), at, plan, lambda: True)
        except (KilledError, ThrottledError):
            pass
        finally:
            of.table.hook = interrupted

    hook, of.table.hook = of.table.hook, Invocation(random.choice(FAULTS), random.randint(1, 8), beside)
    try:
        repairs.apply(of.table, register(of.table), at, plan, lambda: True)
    except (KilledError, ThrottledError):
        pass
    finally:
        of.table.hook = hook


def repaired(random: Random, of: World, found: Check, at: int) -> None:
    """Several attempts, while things happen; the last one comes to its end."""
    plan = plan_of(found)
    for _ in range(random.randint(0, 4)):
        attempt(random, of, plan, at)
        happen(random, of, random.randint(0, 3))
    of.releases.current = READS_ALL
    repairs.apply(of.table, register(of.table), at, plan, lambda: True)


@pytest.mark.histories(12)
def test_what_is_wrong_is_put_right_beside_the_stream(seed: int, tmp_path: Path) -> None:
    """What was planned is right by that plan alone; what could not be planned then, by later ones."""
    random = Random(seed)
    with world(random) as each:
        found, when = checked_with_drift(
            random, each, lambda: plant(random, each, random.randint(1, 5)), (0, 3), tmp_path
        )
        repaired(random, each, found, when)
        happen(random, each, random.randint(0, 10))
        rest, then = settled(each, tmp_path)
        planned = {line.key for line in found.plan if not line.close}
        assert [each.key for each in rest.differing if each.key in planned] == []
        for _ in range(2):  # what is open is passed on before it is repaired
            repairs.apply(each.table, register(each.table), then, plan_of(rest), lambda: True)
            rest, then = settled(each, tmp_path)
        outcome = each.outcome()
    assert rest.differing == []
    assert outcome.found == outcome.expected
