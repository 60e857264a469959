"""The suite does not grow unseen."""

from collections import Counter
from pathlib import Path

import pytest

from tests.support.budget import Spent, excesses, room_of, started

BUDGET = {
    "rooms": {"web": {"tests": 10, "cpu": 30}, "e2e": {"tests": 2, "cpu": 70}},
    "started": {"clouds": 1, "deployments": 2},
}


def spent(web: int = 10, e2e: int = 2, cpu: tuple[float, float] = (30, 70), clouds: int = 1) -> Spent:
    return Spent(Counter(web=web, e2e=e2e), {"web": cpu[0], "e2e": cpu[1]}, Counter(clouds=clouds, deployments=2))


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        (spent(), []),
        (spent(web=9, clouds=0), []),
        (spent(cpu=(3, 7)), []),
        (spent(cpu=(47, 53)), []),
        (spent(web=11), ["web: 11 tests, 10 in the budget"]),
        (spent(cpu=(49, 51)), ["web: 49.0% of the CPU, 30.0% in the budget"]),
        (spent(clouds=2), ["2 clouds started, 1 in the budget"]),
        (Spent(Counter(new=1)), ["new: 1 tests, 0 in the budget"]),
        (Spent(cpu={"shared": 9, "web": 1}), ["shared: 90.0% of the CPU, 0.0% in the budget"]),
    ],
)
def test_what_is_over_it_is_said(taken: Spent, said: list[str]) -> None:
    assert list(excesses(taken, BUDGET)) == said


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ([".venv-cloud/bin/python", "-X", "cloud=x", "-m", "local.emulator"], ["clouds"]),
        ([Path("node_modules/.bin/cdk"), "deploy", "--app", "x"], ["deployments"]),
        ([Path("node_modules/.bin/cdk"), "synth"], []),
        (["make", "-C", ".", "-o", "setup", "run", "SAMPLE=few"], ["clouds", "deployments"]),
        (["python", "-m", "local.dev"], ["clouds", "deployments"]),
        (["python", "-m", "local.cloud", "stop"], []),
    ],
    ids=str,
)
def test_what_a_command_starts(command: list[str], kinds: list[str]) -> None:
    assert list(started(command)) == kinds


def test_rooms() -> None:
    assert room_of("tests/infra/batch/test_code.py::test_it[a]@infra") == "infra"
    assert room_of("tests/test_rates.py::test_it") == "."
