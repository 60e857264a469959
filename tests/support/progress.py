"""Say how far a long run is, and what a test waits for that takes long.

After a minute and each minute from then on, the process that hands out tests says how many have ended. After two
minutes in one phase of a test, the process that runs it says for what it waits.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

PROGRESS_SECONDS = 60.0
WAITING_SECONDS = 120.0
# The first tests are those that take longest: a smaller share says nothing of the pace.
TELLING = 0.05
ROOT = str(Path(__file__).parents[2])


class Progress:
    """Counts the tests that have ended, and says so each minute."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._begun, self._said = say, time.monotonic(), 0.0
        self._total = self._ended = 0

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Learn the number of tests: each process collects all of them."""
        self._total = len(ids)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Learn the number of tests where this process runs them itself."""
        self._total = len(session.items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a test that has ended."""
        if report.when == "teardown":
            self._ended += 1
            self.tell(time.monotonic() - self._begun)

    def tell(self, seconds: float) -> None:
        """Say how far the run is, if a minute has passed since this was said."""
        if seconds - self._said < PROGRESS_SECONDS:
            return
        self._said = seconds
        told = f"{minutes(seconds)}: {self._ended:,} of {self._total:,} tests have ended"
        if self._ended > self._total * TELLING:
            told += f"; at this pace {minutes(seconds * (self._total - self._ended) / self._ended)} to go"
        self._say(told)


class Watch:
    """Looks every few seconds whether a phase of a test takes long."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._thread = threading.get_ident()
        self._phase: tuple[str, float] | None = None
        self._told = 0.0

    def start(self) -> None:
        """Look from now on."""
        threading.Thread(target=self._look, daemon=True, name="watch").start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Note that the setup of a test begins."""
        return (yield from self._note(f"{item.nodeid} (setup)"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note that a test begins."""
        return (yield from self._note(item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        """Note that the teardown of a test begins."""
        return (yield from self._note(f"{item.nodeid} (teardown)"))

    def _note(self, name: str) -> Iterator[None]:
        self._phase, self._told = (name, time.monotonic()), 0.0
        try:
            return (yield)
        finally:
            self._phase = None

    def _look(self) -> None:
        # Not time.sleep, which tests replace.
        pause = threading.Event()
        while not pause.wait(WAITING_SECONDS / 24):
            if phase := self._phase:
                self.tell(*phase, time.monotonic(), sys._current_frames().get(self._thread))

    def tell(self, name: str, begun: float, now: float, frame: FrameType | None) -> None:
        """Say for what a phase waits, if two more minutes have passed."""
        if now - max(begun, self._told) >= WAITING_SECONDS:
            self._told = now
            self._say(f"{name} has taken {minutes(now - begun)}: {awaited(frame)}")


def awaited(frame: FrameType | None) -> str:
    """Tell what a stack waits for: a condition, another program, or else the line of the project where it is."""
    line = "it is nowhere"
    while frame is not None:
        variables, code = frame.f_locals, frame.f_code
        if code.co_name == "wait_until" and "what" in variables:
            return f"it waits for {variables['what']}"
        if code.co_filename.endswith("subprocess.py") and (command := getattr(variables.get("self"), "args", None)):
            return f"it waits for the program {command}"
        if line == "it is nowhere" and code.co_filename.startswith(ROOT) and "/." not in code.co_filename:
            line = f"it is at {code.co_filename.removeprefix(ROOT + '/')}:{frame.f_lineno}"
        frame = frame.f_back
    return line


def minutes(seconds: float) -> str:
    """Write a span of time as people do."""
    return f"{seconds:.0f} s" if seconds < PROGRESS_SECONDS else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def pytest_configure(config: pytest.Config) -> None:
    """Begin: tests are handed out or run by this process, or both."""
    stderr = os.dup(2)  # before tests' output is captured
    worker = os.environ.get("PYTEST_XDIST_WORKER")

    def say(line: str) -> None:
        os.write(stderr, f"\n{line}\n".encode())

    if not worker:
        config.pluginmanager.register(Progress(say))
    if worker or not config.getoption("numprocesses", None):
        watch = Watch(say)
        watch.start()
        config.pluginmanager.register(watch)
