"""A repair of one aggregate makes no other one wrong, whichever of them were being changed when the plan was made."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from batch import results
from batch.comparing import Compared
from edgewise.aggregates import keys
from edgewise.dynamodb.keys import Key
from edgewise.stream import repairs
from edgewise.stream.register import register
from functions.catalog import CATALOG
from tests.batch.histories import checked, checked_with_drift, settled, snapshot, world
from tests.batch.test_repairs import plan_of, plant
from tests.delivery.test_poison import message
from tests.delivery.world import World

EDGE, ROOM, USER = (
    keys.of(CATALOG.kinds[kind](*of))
    for kind, of in (("POSTED_IN", ("amy", "r1")), ("ROOM", ("r1",)), ("USER", ("amy",)))
)


def wrong_in_the_end(seed: int, folder: Path, *, apply: bool) -> set[Key]:
    """Which aggregates are wrong after a history with drift, whether or not the plan of a check has been applied."""
    random = Random(seed)
    with world(random) as each:
        found, when = checked_with_drift(
            random, each, lambda: plant(random, each, random.randint(1, 5)), (1, 6), folder / "found"
        )
        # What is open closes some time, with or without a plan.
        plan = [line for line in plan_of(found) if apply or line.close]
        repairs.apply(each.table, register(each.table), when, plan, lambda: True)
        rest, _ = settled(each, folder / "rest")
        return {one.key for one in rest.differing}


@pytest.mark.histories(20)
def test_what_is_right_stays_right(seed: int, tmp_path: Path) -> None:
    without = wrong_in_the_end(seed, tmp_path / "without", apply=False)
    assert wrong_in_the_end(seed, tmp_path / "with", apply=True) <= without


@contextmanager
def without_an_edge() -> Iterator[World]:
    """An edge was deleted behind the stream's back: its room and its user count it still, and so they are right."""
    with world(Random(1)) as each:
        each.settle()
        each.table.put_many([message(1, "amy", "r1"), message(2, "bob", "r1")])
        each.settle()
        del each.table.items[EDGE]  # type: ignore[attr-defined]
        yield each


def test_repairs_that_depend_on_each_other_are_in_one_plan(tmp_path: Path) -> None:
    with without_an_edge() as each:
        found, _ = settled(each, tmp_path)
    assert {line.key: line.together for line in found.plan} == {EDGE: 1, ROOM: 1, USER: 1}
    assert found.waiting == []


@pytest.mark.parametrize(
    ("groups", "files"),
    [
        ([0, 1, 1, 1], [[0], [1, 1, 1]]),
        ([0, 0, 0, 0, 1, 1], [[0, 0, 0], [0], [1, 1]]),
        ([1, 1, 2, 2, 0, 0], [[1, 1], [2, 2, 0], [0]]),
        ([0, 1, 1, 1, 1, 2], [[0], [1, 1, 1], [1], [2]]),
    ],
)
def test_no_file_of_a_plan_ends_within_what_belongs_together(groups: list[int], files: list[list[int]]) -> None:
    """Unless it is more than fits: one invocation, which sees one file, must see all of it."""
    lines = [Compared(Key("", ""), "", "", together=group) for group in groups]
    with patch.object(results, "LINES", 3):
        assert [[line.together for line in file] for file in results.in_files(lines)] == files


def test_they_wait_while_one_of_them_is_being_changed(tmp_path: Path) -> None:
    """The room's share of the repair is not known, so the edge must not bring it."""
    with without_an_edge() as each:
        before, at = snapshot(each), snapshot(each)
        each.table.put_many([message(3, "bob", "r1")])
        each.drain()
        found = checked(each, tmp_path, at, before, snapshot(each))
    assert found.plan == []
    assert {line.key for line in found.waiting} == {EDGE, USER}
    assert [line.key for line in found.wrong] == [EDGE]
