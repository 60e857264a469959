"""What the proof tells of somebody's own tables; what it runs is tested in tests/own."""

from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.proofs import __main__ as proofs
from benchmarks.proofs import own
from delivery import Fault
from tests.own.shapes import SHAPES

NUMBERS = own.Numbers(600, 50, 2, 90, 40, 20, 27)
TOLD = own.History(1, NUMBERS, Counter(apply=3), Counter({Fault.REWOUND: 2}))


def counted(monkeypatch: pytest.MonkeyPatch, *told: own.History) -> tuple[dict[str, str], bool]:
    """What the table says of these histories when two are wanted, and whether it failed."""
    monkeypatch.setattr(own, "lived", lambda *_: iter(told))
    table = own.measure(lambda _: None, 2)
    return {name: value for name, value in (table.columns, *table.rows)}, table.failed


def test_it_ends_when_there_are_enough_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, failed = counted(monkeypatch, TOLD, replace(TOLD, seed=2), replace(TOLD, seed=3))
    assert rows[""] == "seeds 1 to 2"
    assert (rows["record deliveries"], rows["commands: apply"], rows["wrong"]) == ("1,200", "6", "none")
    assert (rows["without an end"], rows["faults of all kinds"]) == ("none", "4")
    assert not failed


@pytest.mark.parametrize(
    ("found", "row"), [(replace(TOLD, wrong="so"), "wrong"), (replace(TOLD, endless="so"), "without an end")]
)
def test_it_ends_at_the_first_that_fails(monkeypatch: pytest.MonkeyPatch, found: own.History, row: str) -> None:
    rows, failed = counted(monkeypatch, found, replace(TOLD, seed=2))
    assert (rows[""], rows[row]) == ("seeds 1 to 1", "FAILED, seed 1: so")
    assert failed


def test_every_form_of_keys_has_its_turn() -> None:
    both = {partition + sort for partition in "SNB" for sort in "SNB"}
    assert {shape.forms for shape in SHAPES} == {*"SNB"} | both
    assert {str(shape) for shape in SHAPES} >= {
        f"{form}, views {where}" for form in ("SS", "SB") for where in ("within", "beside", "within, heartbeats")
    }
    assert own.HISTORIES % len(SHAPES) == 0


@pytest.mark.parametrize("wrong", ["", "so"])
def test_a_part_runs_alone(monkeypatch: pytest.MonkeyPatch, wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(own, "lived", lambda *_: iter([replace(TOLD, wrong=wrong)] * own.HISTORIES))
    monkeypatch.setattr(proofs, "settings", dict)
    assert proofs.main(["own"]) == bool(wrong)
    assert "Somebody's own table" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", ["", "2, not 3"])
def test_a_seed_is_repeated(monkeypatch: pytest.MonkeyPatch, wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(own, "history", lambda seed: replace(TOLD, seed=seed, wrong=wrong))
    monkeypatch.setattr(proofs, "settings", dict)
    assert proofs.main(["own", "7"]) == bool(wrong)
    assert "seed=7" in capsys.readouterr().out
