"""An aggregate that goes on in further items loses its first: a check finds it, and a plan counts each name once."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.items import merged
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.stream import repairs
from edgewise.stream.register import register
from functions.catalog import CATALOG
from tests.batch.histories import settled, world
from tests.batch.test_repairs import plan_of
from tests.delivery.stories import audits


def counted(items: list[Item], equipment: str) -> list[int]:
    """How many audits a piece of equipment has, and how many of them each result, in order."""
    found = [item for item in items if item["Type"]["S"] == "AUDIT" and item["PK"]["S"] == equipment]
    return sorted([len(found), *Counter(item["Result"]["S"] for item in found).values()])


@pytest.mark.parametrize("audits_since", [0, 40], ids=["nothing is written since", "it is full again"])
def test_each_name_is_counted_once_again(audits_since: int, tmp_path: Path) -> None:
    with world(Random(3)) as each:
        each._stories = (audits.STORY,)
        for _ in range(12):
            each.store()
        each.settle()
        first = next(item for item in each.table.all_items() if item["Type"]["S"] == "EQUIPMENT" and "Full" in item)
        del each.table.items[key_of(first)]  # type: ignore[attr-defined]
        for _ in range(audits_since):
            each.store()
            each.drain()
        for number in range(3):
            found, at = settled(each, tmp_path / str(number))
            repairs.apply(each.table, register(each.table), at, plan_of(found), lambda: True)
        found, _ = settled(each, tmp_path / "rest")
        about = CATALOG.aggregate_of(first)
        read = merged(readers.whole(each.table, about)).cells
        told = sorted(cell.count for cell in read.values() if cell.count)
    assert found.differing == []
    assert told == counted(each.table.all_items(), keys.of(about).pk)
