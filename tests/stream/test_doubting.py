"""Until when a record is doubted that an invocation announced which died."""

from typing import Any

import pytest

from edgewise.stream import doubting
from edgewise.stream.register import change, register
from tests.support.memory import MemoryTable

SHARD = "shard-1"


def record(number: int) -> Any:
    return {"dynamodb": {"SequenceNumber": str(number)}}


@pytest.fixture
def table() -> MemoryTable:
    made = MemoryTable()
    change(made, lambda known: known.with_doubts(SHARD, {f"{number:040}": {"TOTAL"} for number in (5, 8, 12)}))
    return made


@pytest.mark.parametrize(
    ("taken", "behind", "left"),
    [
        ([7, 8, 9], None, [5, 12]),
        ([8], None, [5, 12]),
        ([6, 7], None, [5, 8, 12]),
        ([7, 8, 9], 4, [12]),
        ([7, 8, 9], 5, [5, 12]),
        ([], None, [5, 8, 12]),
    ],
    ids=str,
)
def test_what_a_batch_has_taken_is_settled_and_nothing_before_it(
    table: MemoryTable, taken: list[int], behind: int | None, left: list[int]
) -> None:
    """What lies before may have been given up: no batch will bring it any more, and no aggregate has it."""
    doubting.settle(table, register(table), SHARD, list(map(record, taken)), behind)
    assert sorted(map(int, register(table).announced(SHARD))) == left


def test_other_shards_doubts_stay(table: MemoryTable) -> None:
    doubting.settle(table, register(table), "shard-2", [record(5), record(12)], None)
    assert len(register(table).announced(SHARD)) == 3
