"""The pytest plugin: a fixture that makes simulators; their seed and history appear in the report of a failed test.

Where the package is installed, pytest loads it. A copied folder needs `pytest_plugins = ["delivery.plugin"]` in the
topmost conftest.py, or `-p delivery.plugin`.
"""

from collections.abc import Callable, Generator
from typing import Any

import pytest

from delivery.faults import NONE, Faults
from delivery.function import Handler
from delivery.mapping import Mapping
from delivery.simulator import Simulator
from delivery.stream import Stream

Simulate = Callable[..., Simulator]
_MADE = pytest.StashKey[list[Simulator]]()
_SHOWN = 200  # invocations in a report


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--delivery-seed`."""
    parser.addoption("--delivery-seed", type=int, default=0, help="seed of the delivery simulator")


@pytest.fixture
def simulate(request: pytest.FixtureRequest) -> Simulate:
    """Make simulators with the seed of `--delivery-seed`."""
    made = request.node.stash.setdefault(_MADE, [])

    def make(handler: Handler, stream: Stream, mapping: Mapping | None = None, faults: Faults = NONE) -> Simulator:
        simulator = Simulator(handler, stream, mapping, faults, seed=request.config.getoption("--delivery-seed"))
        made.append(simulator)
        return simulator

    return make


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what was delivered in a test that failed."""
    report = yield
    if report.failed:
        for simulator in item.stash.get(_MADE, []):
            report.sections.append(("delivery simulator", _story(simulator)))
    return report


def _story(simulator: Simulator) -> str:
    entries: list[Any] = list(simulator.history.entries)[-_SHOWN:]
    lines = [
        f"--delivery-seed={simulator.seed}",
        f"the last {len(entries)} of {simulator.history.invocations} invocations:",
    ]
    return "\n".join([*lines, *map(str, entries)])
