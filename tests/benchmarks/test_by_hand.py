"""What is written by hand for a fleet costs what is known of it, and counts a repeated batch twice."""

from collections.abc import Iterator

import pytest

from benchmarks import by_hand, engine
from benchmarks.by_hand import ROUNDS
from benchmarks.methods import OURS

FEW = 10


@pytest.fixture
def results(java: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, by_hand.Result]]:
    monkeypatch.setattr(by_hand, "BATCHES", (FEW,))
    worked_on = list[int]()
    with engine.running():
        yield {each.name: each for each in by_hand.measure(worked_on.append)}
    assert sum(worked_on) == by_hand.steps()


def test_the_repeated_batch_makes_the_one_wrong_and_not_the_other(results: dict[str, by_hand.Result]) -> None:
    assert {name: each.verdict for name, each in results.items()} == {
        by_hand.NAME: f"no: {FEW} of {FEW} wrong",
        OURS: "exact",
    }


def test_by_hand_a_reading_takes_one_request_and_one_unit(results: dict[str, by_hand.Result]) -> None:
    cost = results[by_hand.NAME].cost
    assert (cost.records, cost.spent.requests, cost.spent.write_units) == (FEW * ROUNDS, FEW * ROUNDS, FEW * ROUNDS)
    assert cost.spent.read_units == 0


def test_of_ours_the_first_reading_of_each_device_is_left_out(results: dict[str, by_hand.Result]) -> None:
    cost = results[OURS].cost
    assert cost.records == FEW * ROUNDS
    assert 0 < cost.spent.reads < cost.spent.requests
