"""The proof's report, and its processes; what it runs is tested in tests/delivery."""

from collections import Counter
from dataclasses import replace

import pytest

from benchmarks.proofs import histories
from delivery import Fault
from edgewise.aggregates.stored import aggregate
from edgewise.stream import compare_and_set
from tests.delivery.world import EndlessError, World

FEW = 12
TOLD = histories.History(1, True, 600, 50, 7, Counter({Fault.REWOUND: 2}))


def counted(monkeypatch: pytest.MonkeyPatch, *told: histories.History) -> tuple[dict[str, str], bool]:
    """What the table says of these histories when 1,000 deliveries are wanted, and whether it failed."""

    monkeypatch.setattr(histories, "lived", lambda *_: iter(told))
    table = histories.measure(lambda _: None, 1_000)
    return {name: value for name, value in (table.columns, *table.rows)}, table.failed


def test_it_ends_when_there_are_enough_deliveries(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, failed = counted(monkeypatch, TOLD, replace(TOLD, seed=2), replace(TOLD, seed=3))
    assert rows[""] == "seeds 1 to 2"
    assert (rows["record deliveries"], rows["invocations"], rows["differences"]) == ("1,200", "100", "none")
    assert rows[f"fault: {Fault.REWOUND}"] == "4"
    assert not failed


def test_its_processes_need_no_settings_of_a_deployment(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make prove` gives them none of a table or a queue: a reader that misses one forgets its records after a day."""
    for name in ("TABLE_NAME", "PUSH_QUEUE_URL"):
        monkeypatch.delenv(name, raising=False)
    table = histories.measure(lambda _: None, 1, FEW)
    assert not table.failed
    assert ("differences", "none") in table.rows


def test_it_ends_at_the_first_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, failed = counted(monkeypatch, replace(TOLD, exact=False), replace(TOLD, seed=2))
    assert rows[""] == "seeds 1 to 1"
    assert rows["differences"] == "FAILED, seed 1"
    assert failed


def test_a_history_without_an_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_: World) -> None:
        raise EndlessError

    monkeypatch.setattr(World, "drain", endless)
    assert histories.history(2, FEW).endless
    rows, failed = counted(monkeypatch, replace(TOLD, exact=False, endless=True))
    assert (rows["histories without an end"], rows["differences"], failed) == ("FAILED, seed 1", "none", True)


def test_a_history_of_a_writer_that_forgets_its_checkpoints_is_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    assert histories.history(2, FEW).exact
    monkeypatch.setattr(compare_and_set, "aggregate", lambda of, item: replace(aggregate(of, item), checkpoints={}))
    assert not histories.history(2, FEW).exact
