"""Record where the suite's time goes: `--record FOLDER` writes a file of JSON lines for each test process.

For each phase of each test: seconds by the clock, CPU seconds of the test process and of the processes that it
started, and the seconds by cause, from a sample of the stack ten times a second. The tables are printed by
`python -m benchmarks.recorded FOLDER`.
"""

import ctypes
import json
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import monotonic
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

SAMPLE_SECONDS = 0.1
# More than it takes to walk a stack: for so long, no other thread goes on.
WALK_SECONDS = 1
# To look at all processes that run takes milliseconds: what they used is told to the test that ends next after this.
OTHERS_SECONDS = 0.25
# Shared fixtures that take less are not told.
BRIEF_SECONDS = 0.005
TICKS = os.sysconf("SC_CLK_TCK")
ROOT = str(Path(__file__).parents[2])
# Linux: orphans become children of this process, so that what a command leaves running is counted, too.
PR_SET_CHILD_SUBREAPER = 36

# What a stack is about, if any of its frames is from such a file: the first that matches counts.
ANYWHERE = {
    "deployment": ("/local/deploy.py", "/local/cloud.py", "/local/cdk.py"),
    "synthesis": ("/aws_cdk/", "/jsii/"),
    "imports": ("<frozen importlib._bootstrap>",),
    "other processes": ("/subprocess.py", "/ops/processes.py"),
    "moto": ("/moto/",),
}
# Otherwise its innermost frame from such a file.
INNERMOST = {
    "Hypothesis": ("/hypothesis/",),
    "botocore": ("/botocore/", "/boto3/", "/urllib3/", "/requests/"),
    "pytest": ("/_pytest/", "/pluggy/", "/xdist/", "/execnet/"),
    "simulator": (f"{ROOT}/delivery/",),
    "project": (ROOT,),
}


class Spent(NamedTuple):
    """Seconds since some instant: by the clock, CPU of this process, CPU of the processes that it started."""

    clock: float
    own: float
    others: float

    def since(self, before: "Spent") -> "Spent":
        """The difference."""
        return Spent(*(round(now - then, 4) for now, then in zip(self, before, strict=True)))


class Clocks:
    """The clocks of this process and of those that it started."""

    def __init__(self) -> None:
        self._looked, self._others = 0.0, 0.0

    def read(self) -> Spent:
        """Read them."""
        now = monotonic()
        if now - self._looked >= OTHERS_SECONDS:
            self._looked, self._others = now, _cpu_of_others()
        return Spent(now, time.process_time(), self._others)


class Sampler:
    """Sample the stack of the main thread: for each cause its seconds of CPU, and by the clock."""

    def __init__(self) -> None:
        thread = threading.main_thread()
        self._thread = thread.ident or 0
        self._cpu = time.pthread_getcpuclockid(self._thread)
        self._seconds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._lock = threading.Lock()
        threading.Thread(target=self._sample, daemon=True, name="sampler").start()

    def take(self) -> dict[str, list[float]]:
        """Return what was sampled since the last call."""
        with self._lock:
            taken, self._seconds = self._seconds, defaultdict(lambda: [0.0, 0.0])
        return {cause: [round(each, 3) for each in seconds] for cause, seconds in taken.items()}

    def _sample(self) -> None:
        cpu, clock = time.clock_gettime(self._cpu), monotonic()
        # Not time.sleep, which tests replace.
        pause, switch = threading.Event(), sys.getswitchinterval()
        while not pause.wait(SAMPLE_SECONDS):
            now, read = time.clock_gettime(self._cpu), monotonic()
            # The stack may not change while it is walked: Python 3.11 crashes then.
            sys.setswitchinterval(WALK_SECONDS)
            cause = cause_of(sys._current_frames().get(self._thread))
            sys.setswitchinterval(switch)
            with self._lock:
                seconds = self._seconds[cause]
                seconds[0] += now - cpu
                seconds[1] += read - clock
            cpu, clock = now, read


def cause_of(frame: FrameType | None) -> str:
    """Tell what a stack is about."""
    inner = ""
    anywhere = set()
    while frame is not None:
        within, innermost = _told_by(frame.f_code)
        anywhere.add(within)
        inner = inner or innermost
        frame = frame.f_back
    return next((cause for cause in ANYWHERE if cause in anywhere), inner or "other")


@cache
def _told_by(code: CodeType) -> tuple[str, str]:
    def find(causes: dict[str, tuple[str, ...]]) -> str:
        return next((cause for cause, parts in causes.items() if any(part in code.co_filename for part in parts)), "")

    return find(ANYWHERE), find(INNERMOST)


class Recorder:
    """A plugin of one test process. Each line is written at once: a run that is cut off leaves what it had measured."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._lines = file.open("w", buffering=1)
        self._clocks = Clocks()
        self._begun = self._clocks.read()
        self._sampler = Sampler()

    def pytest_collection_finish(self) -> None:
        """Write what it took to import all tests."""
        self._write("collection", self._begun)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Measure the setup of a test."""
        return (yield from self._measure("setup", item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Measure the test itself."""
        return (yield from self._measure("call", item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        """Measure the teardown of a test."""
        return (yield from self._measure("teardown", item.nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[Any]:
        """Measure fixtures that several tests share, with those that they use."""
        if fixturedef.scope == "function":
            return (yield)
        before = self._clocks.read()
        try:
            return (yield)
        finally:
            took = self._clocks.read().since(before)
            if took.clock >= BRIEF_SECONDS:
                self._lines.write(
                    json.dumps(["fixture", f"{fixturedef.argname} ({fixturedef.scope})", took, {}]) + "\n"
                )

    def pytest_sessionfinish(self) -> None:
        """Write what the whole took."""
        self._write("whole", self._begun)

    def _measure(self, phase: str, name: str) -> Iterator[None]:
        self._sampler.take()
        before = self._clocks.read()
        try:
            return (yield)
        finally:
            self._write(phase, before, name)

    def _write(self, phase: str, before: Spent, name: str = "") -> None:
        line = [phase, name, self._clocks.read().since(before), self._sampler.take()]
        self._lines.write(json.dumps(line, separators=(",", ":")) + "\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--record", metavar="FOLDER", help="write where the time goes, a file for each test process")


def pytest_configure(config: pytest.Config) -> None:
    """Begin, but not in the process that only hands out tests, nor in one that a test starts."""
    if "PYTEST_CURRENT_TEST" in os.environ:
        return
    folder, name = config.getoption("record"), os.environ.get("PYTEST_XDIST_WORKER", "main")
    if folder and (name != "main" or not config.getoption("numprocesses", None)):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        config.pluginmanager.register(Recorder(Path(folder) / f"{name}.jsonl"))


def _cpu_of_others() -> float:
    ended = os.times()
    return ended.children_user + ended.children_system + sum(map(_cpu_of, _children(os.getpid())))


def _cpu_of(pid: int) -> float:
    """Seconds of a process, of its children that ended, and of those that run."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(map(_cpu_of, _children(pid)))


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found
