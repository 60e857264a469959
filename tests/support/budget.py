"""Hold the suite to its budget, `tests/budget.toml`: tests and CPU by room, clouds and deployments that it starts.

Only a run of everything by day is held to it. Machines differ, so a room's CPU is judged by its share of the whole.
"""

import os
import shlex
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from tests.support.histories import NIGHT

BUDGET = Path(__file__).parents[1] / "budget.toml"
# By how much a room's share of the CPU may be larger than in the budget: two runs differ by less.
FACTOR, MARGIN = 1.5, 0.03
# What several rooms use, and ends with the last test.
SHARED = "shared"
# What starts a local cloud, and what deploys to one: words of a command.
CLOUDS = (("-m", "local.emulator"), ("-m", "local.dev"), ("-m", "demo"), ("make", "run"))
DEPLOYMENTS = (("cdk", "deploy"), *CLOUDS[1:])


@dataclass
class Spent:
    """What a run took."""

    tests: Counter[str] = field(default_factory=Counter)
    cpu: dict[str, float] = field(default_factory=dict)
    started: Counter[str] = field(default_factory=Counter)


def excesses(spent: Spent, budget: Mapping[str, Any]) -> Iterator[str]:
    """Say what is over the budget, a line each."""
    rooms: Mapping[str, Mapping[str, float]] = budget["rooms"]
    whole, planned = sum(spent.cpu.values()), sum(room["cpu"] for room in rooms.values())
    for room in sorted(spent.tests.keys() | spent.cpu.keys()):
        allowed = rooms.get(room, {"tests": 0, "cpu": 0})
        if spent.tests[room] > allowed["tests"]:
            yield f"{room}: {spent.tests[room]} tests, {allowed['tests']} in the budget"
        share, plan = spent.cpu.get(room, 0.0) / (whole or 1), allowed["cpu"] / planned
        if share > plan * FACTOR + MARGIN:
            yield f"{room}: {share:.1%} of the CPU, {plan:.1%} in the budget"
    for kind, number in sorted(spent.started.items()):
        if number > budget["started"][kind]:
            yield f"{number} {kind} started, {budget['started'][kind]} in the budget"


def started(command: Iterable[object]) -> Iterator[str]:
    """Tell what a command starts."""
    words = [Path(str(word)).name for word in command]
    pairs = {(words[0], word) for word in words[1:]} | set(pairwise(words))
    for kind, wanted in (("clouds", CLOUDS), ("deployments", DEPLOYMENTS)):
        if pairs.intersection(wanted):
            yield kind


def room_of(name: str) -> str:
    """Name the folder of a test below `tests`; `.` for the files there."""
    parts = name.partition("::")[0].split("/")
    return parts[1] if len(parts) > 2 else "."


class Meter:
    """Counts, in a process that runs tests."""

    def __init__(self, spent: Spent) -> None:
        self._spent = spent
        sys.addaudithook(self._heard)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Count the CPU of a test: of this process, and of those that have ended.

        The last test ends what several rooms have used, a cloud or an engine: that is no room's.
        """
        before = _cpu()
        try:
            return (yield)
        finally:
            room = room_of(item.nodeid) if nextitem else SHARED
            self._spent.cpu[room] = self._spent.cpu.get(room, 0.0) + _cpu() - before

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send what was counted to the process that hands out tests."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["spent"] = {"cpu": self._spent.cpu, "started": dict(self._spent.started)}

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen":
            command = arguments[1]
            self._spent.started.update(started(shlex.split(command) if isinstance(command, str) else command))


class Judge:
    """Compares with the budget at the end, in the process that hands out tests."""

    def __init__(self, spent: Spent, is_held: bool) -> None:
        self._spent, self._is_held = spent, is_held

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Count the tests: each process collects all of them."""
        self._spent.tests = Counter(map(room_of, ids))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a test process has counted."""
        told = getattr(node, "workeroutput", {}).get("spent", {"cpu": {}, "started": {}})
        for room, seconds in told["cpu"].items():
            self._spent.cpu[room] = self._spent.cpu.get(room, 0.0) + seconds
        self._spent.started.update(told["started"])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that is over the budget."""
        over = list(excesses(self._spent, tomllib.loads(BUDGET.read_text()))) if self._is_held else []
        if over and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        self._over = over

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was taken, and what is over the budget."""
        terminalreporter.section("what the rooms took")
        rooms = sorted(self._spent.cpu.items(), key=itemgetter(1), reverse=True)
        started = (f"; {number} {kind}" for kind, number in sorted(self._spent.started.items()))
        seconds = ", ".join(f"{room} {taken:.0f}" for room, taken in rooms)
        terminalreporter.write_line(f"{seconds} s of CPU{''.join(started)}")
        if self._over:
            terminalreporter.section("over the budget of the suite: shorten it, or edit tests/budget.toml")
        for line in self._over:
            terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Begin, if everything is run by several processes; hold a whole run by day to the budget."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not config.getoption("everything"):
        return
    if worker:
        config.pluginmanager.register(Meter(Spent()))
    elif config.getoption("numprocesses", None):
        is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
        config.pluginmanager.register(Judge(Spent(), is_whole and not config.getoption("chosen") and not NIGHT))


def _cpu() -> float:
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system
