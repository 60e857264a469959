"""What the proof tells of views that are drawn at random; what it runs is tested in tests/views."""

from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.proofs import __main__ as proofs
from benchmarks.proofs import views
from delivery import Fault

NUMBERS = views.Numbers(5, 1, 2, 600, 50, 3, 90)
TOLD = views.History(1, NUMBERS, Counter(count=4, top=2), Counter({Fault.REWOUND: 2}))


def counted(monkeypatch: pytest.MonkeyPatch, *told: views.History) -> tuple[dict[str, str], bool]:
    """What the table says of these histories when ten declarations are wanted, and whether it failed."""
    monkeypatch.setattr(views, "lived", lambda *_: iter(told))
    table = views.measure(lambda _: None, 10)
    return {name: value for name, value in (table.columns, *table.rows)}, table.failed


def test_it_ends_when_there_are_enough_declarations(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, failed = counted(monkeypatch, TOLD, replace(TOLD, seed=2), replace(TOLD, seed=3))
    assert (rows[""], rows["declarations"], rows["of these views of views"]) == ("seeds 1 to 2", "10", "2")
    assert (rows["record deliveries"], rows["records set aside, and redriven"]) == ("1,200", "6")
    assert (rows["measures: count"], rows["measures: top"], rows["faults of all kinds"]) == ("8", "4", "4")
    assert (rows["wrong"], rows["without an end"], failed) == ("none", "none", False)


@pytest.mark.parametrize(
    ("found", "row"), [(replace(TOLD, wrong="so"), "wrong"), (replace(TOLD, endless="so"), "without an end")]
)
def test_it_ends_at_the_first_that_fails(monkeypatch: pytest.MonkeyPatch, found: views.History, row: str) -> None:
    rows, failed = counted(monkeypatch, found, replace(TOLD, seed=2))
    assert (rows[""], rows[row]) == ("seeds 1 to 1", "FAILED, seed 1: so")
    assert failed


def test_a_history_is_the_same_each_time_and_not_wrong() -> None:
    found = views.history(3, 4)
    assert not found.failed
    assert found.numbers.declarations >= views.OF_A_HISTORY
    assert found == views.history(3, 4)


def test_it_is_a_part_of_the_proof() -> None:
    assert proofs.PARTS["views"] == ("DECLARATIONS", "declarations of views at random")
    assert views.DECLARATIONS >= 1000
