"""Until when a record is doubted that an invocation announced which died."""

import pytest

from edgewise.stream import doubting
from edgewise.stream.register import change, register
from tests.support.memory import MemoryTable
from tests.support.streams import PRESENT

SHARD = "shard-1"


@pytest.fixture
def table() -> MemoryTable:
    made = MemoryTable()
    found = {f"{number:040}": {"TOTAL"} for number in (5, 8, 12)}
    change(made, lambda known: known.with_doubts(SHARD, found, PRESENT))
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
    doubting.settle(table, register(table), SHARD, taken, behind)
    assert sorted(map(int, register(table).announced(SHARD))) == left


def test_other_shards_doubts_stay(table: MemoryTable) -> None:
    doubting.settle(table, register(table), "shard-2", [5, 12], None)
    assert len(register(table).announced(SHARD)) == 3
