"""Run the tests that a change reaches: `pytest --chosen`.

A test reaches the functions that it calls and the files that it reads, also in processes that it starts. What is known
is in `.local/reach.json`, written by each whole run of `--chosen`.
"""

import ast
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Generator, Iterator
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import pytest

from tests.support.reach import noting, pieces
from tests.support.reach.choosing import Choice, Imports, Reach, choose

ROOT = Path(noting.ROOT)
KNOWN = ROOT / ".local" / "reach.json"
FOLDER = ROOT / ".local" / "reach"
# What the processes of a test have noted is written a tenth of a second later.
LATE_SECONDS = 0.2


class Recorder:
    """Notes, in a process that runs tests, what each of them reaches."""

    def __init__(self, name: str) -> None:
        self._file = FOLDER / f"{name}.json"
        self._folder = FOLDER / name
        self._read: dict[str, int] = {}
        self._tests: dict[str, list[str]] = {}
        self._shared: dict[str, set[str]] = {}
        self._test: set[str] = set()
        self._once: set[str] = set()
        self._folder.mkdir(parents=True)
        os.environ["EDGEWISE_REACH"] = str(self._folder)
        path = str(Path(__file__).with_name("child"))
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (path, os.environ.get("PYTHONPATH"))))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what one test reaches, with the fixtures that it shares with others."""
        # What runs between tests, such as while they are collected, is for all of them.
        self._once |= {f"@{name}" for name in self._take() if "::" in name}
        self._test = {item.nodeid.partition("::")[0]}
        result = yield
        self._test |= self._take()
        for name in getattr(item, "fixturenames", ()):
            self._test |= self._shared.get(name, set())
        once = {name for name in self._test if name.startswith("@")}
        self._once |= once
        self._tests[item.nodeid] = sorted(self._test - once)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[Any]:
        """Note what a shared fixture reaches, for all tests that use it."""
        if fixturedef.scope == "function":
            return (yield)
        self._test |= self._take()
        try:
            return (yield)
        finally:
            taken = self._take()
            self._test |= taken
            self._shared.setdefault(fixturedef.argname, set()).update(taken)

    def pytest_sessionfinish(self) -> None:
        """Write what was noted."""
        self._file.write_text(
            json.dumps({"tests": self._tests, "once": sorted(each.lstrip("@") for each in self._once)})
        )

    def _take(self) -> set[str]:
        taken = noting.take()
        if started := self._started():
            threading.Event().wait(LATE_SECONDS)  # not time.sleep, which tests replace
            taken |= started | self._started()
        return taken

    def _started(self) -> set[str]:
        found: set[str] = set()
        for entry in os.scandir(self._folder):
            before = self._read.get(entry.name, 0)
            if entry.stat().st_size > before:
                text = Path(entry.path).read_bytes()[before:]
                whole = text[: text.rfind(b"\n") + 1]
                self._read[entry.name] = before + len(whole)
                found.update(whole.decode().split())
        return found


class Keeper:
    """Keeps, in the process that hands out tests, what is known of them."""

    def __init__(self) -> None:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        self._now = digests(known())
        self._failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write what is known now, if all that was chosen has run. That nothing had to run is no failure."""
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            return
        before = known()
        collected = json.loads((FOLDER / "collected.json").read_text())
        tests = {name: each for name, each in before.tests.items() if name in collected} if before else {}
        once = set(before.once) if before else set()
        for file in FOLDER.glob("*.json"):
            if file.name != "collected.json":
                noted = json.loads(file.read_text())
                tests |= {name: frozenset(each) for name, each in noted["tests"].items()}
                once.update(noted["once"])
        keep(Reach(self._now, tests, frozenset(self._failed), frozenset(once)))


class Chooser:
    """Leaves out, in each process that collects tests, those that no change reaches."""

    def __init__(self, worker: str | None) -> None:
        self._tells = worker in (None, "gw0")
        self._stderr = os.dup(2)  # before tests' output is captured

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Choose: the same in each process, since nothing is written before the end."""
        names = [item.nodeid for item in items]
        before = known()
        choice: Choice = choose(before, digests(before), names, imports())
        left_out = [item for item in items if item.nodeid not in choice.tests]
        items[:] = [item for item in items if item.nodeid in choice.tests]
        config.hook.pytest_deselected(items=left_out)
        if self._tells:
            (FOLDER / "collected.json").write_text(json.dumps(names))
            os.write(self._stderr, f"\n{len(items):,} of {len(names):,} tests: {choice.why}\n".encode())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--chosen", action="store_true", help="run the tests that a change reaches, and learn of them")


def pytest_configure(config: pytest.Config) -> None:
    """Begin, in the process that hands out tests and in those that run them."""
    if not config.getoption("chosen") or "PYTEST_CURRENT_TEST" in os.environ:
        return
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not worker:
        config.pluginmanager.register(Keeper())
    if worker or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Recorder(worker or "main"))
        config.pluginmanager.register(Chooser(worker))


def digests(known: Reach | None) -> dict[str, str]:
    """Digest each file of the project, what git has and does not ignore, and the parts of its modules.

    known: whose parts stand for those of files that are as they were: to take all apart takes seconds.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    contents = {file: (ROOT / file).read_bytes() for file in listed if file and (ROOT / file).is_file()}
    found = {file: pieces.digest(content) for file, content in contents.items()}
    before = known.digests if known else {}
    unchanged = {file for file, digest in found.items() if before.get(file) == digest}
    found |= {name: digest for name, digest in before.items() if name.partition("::")[0] in unchanged}
    for file in contents.keys() - unchanged:
        if noting.is_noted(file):
            found |= pieces.digests(file, contents[file])
    return found


def imports() -> Imports:
    """Read from all modules which others they import."""
    modules = {_name_of(file): file for package in noting.PACKAGES for file in _files(package)}
    return Imports({file: _imported(file, modules) for file in modules.values()})


def known() -> Reach | None:
    """Read what is known of the tests."""
    if not KNOWN.exists():
        return None
    told = json.loads(KNOWN.read_text())
    sets = [frozenset(told["names"][each] for each in files) for files in told["sets"]]
    tests = {name: sets[number] for name, number in told["tests"].items()}
    return Reach(told["digests"], tests, frozenset(told["failed"]), frozenset(told["once"]))


def keep(reach: Reach) -> None:
    """Write what is known of the tests: many of them reach the same files, so each set of files is written once."""
    names = sorted(frozenset[str]().union(*reach.tests.values()))
    number_of = {name: number for number, name in enumerate(names)}
    sets = {files: number for number, files in enumerate(dict.fromkeys(reach.tests.values()))}
    told = {
        "digests": reach.digests,
        "names": names,
        "sets": [sorted(number_of[name] for name in files) for files in sets],
        "tests": {name: sets[files] for name, files in reach.tests.items()},
        "failed": sorted(reach.failed),
        "once": sorted(reach.once),
    }
    KNOWN.parent.mkdir(exist_ok=True)
    KNOWN.write_text(json.dumps(told, separators=(",", ":")))


def _files(package: str) -> Iterator[str]:
    return (str(path.relative_to(ROOT)) for path in (ROOT / package).rglob("*.py") if "node_modules" not in path.parts)


def _name_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported(file: str, modules: dict[str, str]) -> Iterator[str]:
    package = _name_of(file) if file.endswith("/__init__.py") else _name_of(file).rpartition(".")[0]
    for node in ast.walk(ast.parse((ROOT / file).read_bytes())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            names = [base, *(f"{base}.{each.name}" for each in node.names)]
        yield from (modules[name] for name in names if name in modules)
