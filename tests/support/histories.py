"""What a night does more than a day: all histories at random and new ones, and what takes long and seldom breaks.

A test with the mark `histories(12)` gets that many seeds at night (`NIGHT=2026-11-29`), and as many new ones, which
follow from the date; by day it gets an eighth of them. With whatever seed a night has found something wrong, the test
runs each day from then on: these seeds are in `tests/found.json`. A test with the mark `night` runs at night only.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

FOUND = Path(__file__).parents[1] / "found.json"
NIGHT = os.environ.get("NIGHT", "")
# Of how many histories one is part of every run, and how many it has at least.
SHARE, LEAST = 8, 1


def share(number: int) -> int:
    """Tell how many of so many histories or examples a run takes."""
    return number if NIGHT else max(number // SHARE, min(LEAST, number))


def seeds(test: str, number: int, night: str = NIGHT) -> Sequence[int]:
    """Give the seeds of a test, without its parameters."""
    known: list[int] = json.loads(FOUND.read_text()).get(test, [])
    new = Random(f"{night} {test}").sample(range(1_000_000), number) if night else []
    return list(dict.fromkeys([*known, *range(number if night else share(number)), *new]))


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark."""
    config.addinivalue_line("markers", "night(instead): runs at night only; by day, what is named guards the same")
    config.addinivalue_line("markers", "histories(number): gives the test `seed`, so many at night, a share by day")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test its seeds."""
    for mark in metafunc.definition.iter_markers("histories"):
        metafunc.parametrize("seed", seeds(metafunc.definition.nodeid, *mark.args))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to the night what is for it."""
    if not NIGHT:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("night")])
        items[:] = [item for item in items if not item.get_closest_marker("night")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at night with which seeds something is wrong."""
    reports = terminalreporter.stats.get("failed", ()) if NIGHT else ()
    for report in reports:
        terminalreporter.write_line(f"found by night, for tests/found.json: {report.nodeid}")
