"""A long run says how far it is, and for what a test waits that takes long."""

import subprocess
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from ops.processes import wait_until
from tests.support.progress import Progress, Watch, awaited


def report(when: str) -> Any:
    return type("Report", (), {"when": when})


def test_it_says_each_minute_how_many_tests_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    now, said = [100.0], list[str]()
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    progress = Progress(said.append)
    progress.pytest_xdist_node_collection_finished(["a", "b", "c", "d"])
    for seconds in (130.0, 161.0, 162.0, 221.5):
        now[0] = seconds
        for when in ("setup", "call", "teardown"):
            progress.pytest_runtest_logreport(report(when))
    assert said == [
        "1 min 1 s: 2 of 4 tests have ended; at this pace 1 min 1 s to go",
        "2 min 2 s: 4 of 4 tests have ended; at this pace 0 s to go",
    ]


def test_it_says_every_two_minutes_for_what_a_test_waits() -> None:
    said = list[str]()
    watch = Watch(said.append)
    for now in (119.0, 121.0, 200.0, 242.0):
        watch.tell("test_it", 0.0, now, None)
    assert said == ["test_it has taken 2 min 1 s: it is nowhere", "test_it has taken 4 min 2 s: it is nowhere"]


def stack_of(work: Callable[[], object], reached: threading.Event) -> FrameType | None:
    """The stack of a thread that is in the midst of some work."""
    thread = threading.Thread(target=work)
    thread.start()
    assert reached.wait(60)
    return sys._current_frames()[thread.ident or 0]


def test_a_condition_is_named() -> None:
    reached, end = threading.Event(), threading.Event()

    def condition() -> bool:
        reached.set()
        return end.wait(60)

    frame = stack_of(lambda: wait_until(condition, 60, "the end of the test"), reached)
    assert awaited(frame) == "it waits for the end of the test"
    end.set()


def test_a_program_is_named() -> None:
    command = [sys.executable, "-c", "input()"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    waiting = threading.Thread(target=process.wait)
    waiting.start()

    def frame() -> FrameType | None:
        return sys._current_frames().get(waiting.ident or 0)

    wait_until(lambda: awaited(frame()) != "it is nowhere", 60, "its wait")
    assert awaited(frame()) == f"it waits for the program {command}"
    process.communicate(b"\n")


def test_otherwise_the_line_is_named() -> None:
    assert awaited(sys._getframe()).startswith("it is at tests/project/test_progress.py:")
