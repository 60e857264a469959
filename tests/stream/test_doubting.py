"""Until when a record is doubted that an invocation announced which died."""

import pytest

from edgewise.stream import doubting, quarantine
from edgewise.stream.quarantine import Entry
from edgewise.stream.register import LIMIT, QuarantineFullError, change, register
from functions.replay.memory import MemoryTable
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


def test_what_was_doubted_anew_after_it_was_counted_is_not_trusted(table: MemoryTable) -> None:
    change(table, lambda known: known.lacking_also({"TOTAL", "OTHER"}))
    known = register(table)
    change(table, lambda now: now.with_doubts(SHARD, {f"{20:040}": {"ANOTHER"}}, PRESENT))
    assert not doubting.trust(table, "TOTAL", known)
    assert register(table).lacking == {"TOTAL", "OTHER"}
    assert doubting.trust(table, "TOTAL", register(table))
    assert register(table).lacking == {"OTHER"}
    assert doubting.trust(table, "NEVER", known), "it is not doubted"


@pytest.mark.parametrize("whole", ["*", "TOTAL"])
def test_whoever_vouches_for_a_kind_does_not_vouch_for_one_of_it_that_lost_something_later(
    table: MemoryTable, whole: str
) -> None:
    change(table, lambda known: known.lacking_also({whole}))
    change(table, lambda known: known.lacking_also({"TOTAL 0123456789abcdef"}))
    assert doubting.trust(table, whole, register(table))
    assert register(table).lacking == {"TOTAL 0123456789abcdef"}


def test_what_lost_another_record_after_it_was_counted_is_not_trusted(table: MemoryTable) -> None:
    """Readers were told of nothing new: they doubted it already."""
    change(table, lambda known: known.lacking_also({"TOTAL"}))
    known = register(table)
    record = {"dynamodb": {"SequenceNumber": "8"}}
    quarantine.quarantine(table, SHARD, Entry(record, "error", frozenset({"TOTAL"})))
    quarantine.release(table, SHARD, f"{8:040}", None, frozenset({"TOTAL"}))
    assert not doubting.trust(table, "TOTAL", known)
    assert register(table).lacking == {"TOTAL"}


def test_a_record_is_doubted_in_quarantine_though_its_announcement_was_called_off(table: MemoryTable) -> None:
    """Another invocation may have read it, or given it up, while the one that sets it aside slept."""
    record = {"dynamodb": {"SequenceNumber": "8"}}
    doubting.settle(table, register(table), SHARD, [7, 8, 9], None)
    quarantine.quarantine(table, SHARD, Entry(record, "error", frozenset({"TOTAL", "ITS OWN"})))
    found = register(table)
    assert found.doubts[SHARD][f"{8:040}"].names == {"TOTAL", "ITS OWN"}
    assert sorted(map(int, found.announced(SHARD))) == [5, 12]


def test_no_more_is_announced_than_quarantine_has_room_for() -> None:
    """The register is one item: with 10,000 announcements, DynamoDB would not take it."""
    table, number = MemoryTable(), iter(range(10_000))
    many = {f"{next(number):040}": {"TOTAL" * 50} for _ in range(LIMIT)}
    for _ in range(2):
        change(table, lambda known: known.with_doubts(SHARD, many, PRESENT))
    with pytest.raises(QuarantineFullError):
        register(table).with_doubts("shard-2", {f"{next(number):040}": {"TOTAL"}}, PRESENT)
    assert len(register(table).announced(SHARD)) == LIMIT
