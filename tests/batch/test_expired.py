"""What counts expired sources is not called wrong, unless it counts too little, or what it feeds disagrees."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from batch.comparing import EXPIRED, WRONG
from batch.reconcile import Check
from edgewise.aggregates.cells import pack, unpack
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from tests.batch.histories import happen, world
from tests.batch.test_reconcile import check
from tests.delivery.stories import telemetry

LATER = {TTL_ATTRIBUTE: {"N": "1600000000"}}


@pytest.fixture(scope="module")
def table() -> Iterator[list[Item]]:
    """Readings with a time to live, some of which have expired."""
    random = Random(3)
    with world(random) as each:
        each._stories = (telemetry.STORY,)
        happen(random, each, 60)
        for _ in range(6):
            each.expire()
        each.settle()
        yield [item | LATER if item["Type"]["S"] == "EVENT" else item for item in each.table.all_items()]


def drifted(items: list[Item], kind: str, by: int) -> tuple[list[Item], Key]:
    """The table with another count in one aggregate of a kind, and its key."""
    found = next(item for item in items if item["Type"]["S"] == kind and "Cells" in item)
    name, packed = next(iter(found["Cells"]["M"].items()))
    cell = unpack(packed, 0)
    other = found | {"Cells": {"M": found["Cells"]["M"] | {name: pack(replace(cell, count=cell.count + by), 0)}}}
    return [other if item is found else item for item in items], key_of(found)


def told(items: list[Item], folder: Path) -> tuple[Check, dict[Key, str]]:
    found = check(items, folder)
    return found, {each.key: each.why for each in found.differing}


def test_what_counts_more_than_its_sources_is_not_wrong(table: list[Item], tmp_path: Path) -> None:
    found, why = told(table, tmp_path)
    assert set(why.values()) == {EXPIRED}
    assert {each.kind for each in found.differing} >= {"ROLLUP_HOUR", "ROLLUP_DAY", "REPORTED_FROM"}
    assert (found.wrong, found.plan, found.waiting) == ([], [], [])


def test_without_a_time_to_live_it_is_wrong(table: list[Item], tmp_path: Path) -> None:
    bare = [{name: value for name, value in item.items() if name != TTL_ATTRIBUTE} for item in table]
    _, why = told(bare, tmp_path)
    assert WRONG in why.values()


@pytest.mark.parametrize(("kind", "by"), [("REPORTED_FROM", -100), ("HOSTS", 1), ("DEVICE", -100)])
def test_what_expiry_does_not_explain_is_wrong(table: list[Item], kind: str, by: int, tmp_path: Path) -> None:
    """It counts less than its sources, or something else than what is stored below it."""
    planted, key = drifted(table, kind, by)
    found, why = told(planted, tmp_path)
    assert why[key] == WRONG
    assert [line.key for line in found.plan if line.kind != "HOSTS"] == []
