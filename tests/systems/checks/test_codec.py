"""Items of checks: what is read back is what was stored, and it fits and expires."""

from dataclasses import replace

import pytest

from edgewise.dynamodb.schema import BY_VALUE
from functions.replay.validation import ITEM_BYTES
from functions.systems.checks import codec
from functions.systems.checks.entity import MAX_CELLS, MAX_SHARDS, Figures, Lock, Run, kept
from tests.support.limits import assert_keys_fit, item_size
from tests.systems.checks.made import BEGAN, NAME, difference, figures, reconcile

ENDED = BEGAN + 600_000
FILLED = Figures({"items": 90, "nodes": 10, "edges": 20, "components": 3})
RUNS = [
    reconcile(),
    reconcile().done(ENDED, figures()),
    reconcile().failed(ENDED, "the job ended with 1"),
    replace(reconcile(), kind="fill").done(ENDED, FILLED),
]


@pytest.mark.parametrize("run", RUNS)
def test_a_run_is_read_back_from_the_table_and_without_kinds_from_the_index(run: Run) -> None:
    item = codec.run_item(run)
    assert codec.run(item) == run
    projected = {"PK", "SK", BY_VALUE.partition_key, BY_VALUE.sort_key, *BY_VALUE.projected}
    entry = codec.run({name: value for name, value in item.items() if name in projected})
    assert entry == (replace(run, figures=replace(run.figures, by_kind={}, unjudged=())) if run.figures else run)


def test_a_run_and_what_it_found_expire_after_90_days_by_its_instant() -> None:
    expiry = {"N": "1803188460"}  # 2027-02-21T05:41:00Z
    assert codec.run_item(reconcile())["ExpiresAt"] == expiry
    assert codec.run_item(reconcile().done(ENDED, figures()))["ExpiresAt"] == expiry
    assert codec.difference_item(NAME, 0, difference())["ExpiresAt"] == expiry


@pytest.mark.parametrize("text", ["", "a#b", "$23", "日本", '"\\\n', "\U0001f600", "x" * 900])
def test_a_difference_with_awkward_names_is_read_back(text: str) -> None:
    found = replace(difference(name=text), expected={text: ""}, stored={}, about=["ROOM", [text, [text, 3]], None])
    item = codec.difference_item(NAME, 7, found)
    assert codec.difference(item) == found
    assert_keys_fit(item)


def test_the_lock_is_read_back() -> None:
    lock = Lock(NAME, "daily", BEGAN, ENDED)
    assert codec.lock(codec.lock_item(lock)) == lock


def test_a_difference_in_thousands_of_cells_is_cut_and_says_so() -> None:
    found = kept(difference(cells=5000, shards=4000))
    assert list(found.expected) == list(found.stored) == [f"Cell{number:03d}" for number in range(MAX_CELLS)]
    assert list(found.checkpoints) == [f"shard{number:03d}" for number in range(MAX_SHARDS)]
    assert (found.more_cells, found.more_shards) == (4950, 3950)


def test_the_cells_of_both_sides_are_cut_together() -> None:
    one_sided = replace(difference(), expected={f"a{n:02d}": "1" for n in range(40)}, stored={"b": "1", "a00": "2"})
    found = kept(replace(one_sided, stored={**one_sided.stored, **{f"b{n:02d}": "1" for n in range(40)}}))
    assert len(found.expected) == 40
    assert sorted(found.stored) == ["a00", "b", *(f"b{n:02d}" for n in range(9))]
    assert found.more_cells == 31


def test_the_largest_difference_fits_an_item() -> None:
    """Names of cells have at most 900 bytes, short forms some hundreds; ids of shards 128."""
    cells = {f"{number:03d}{'€' * 300}": "9" * 400 for number in range(60)}
    reached = {f"{number:0128d}": {"sequence": "9" * 40, "at": "x" * 24} for number in range(60)}
    found = replace(difference(name="\U0001f600" * 200), expected=cells, stored=cells, checkpoints=reached)
    assert item_size(codec.difference_item(NAME, 1, kept(found))) < ITEM_BYTES
