"""`make check` runs the tests that a change reaches."""

import ast
import asyncio
import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.reach import noting
from tests.support.reach.choosing import Choice, Imports, Reach, choose

CHAT, KEYS, WEB = "functions/systems/chat/store.py", "functions/systems/chat/keys.py", "infra/console/build.py"
TESTS = {
    "tests/systems/chat/test_routes.py::test_refused": frozenset({WEB}),
    "tests/chat/test_chat.py::test_post": frozenset({CHAT, "docs/api.md"}),
    "tests/chat/test_chat.py::test_room": frozenset({CHAT}),
    "tests/web/test_web.py::test_page": frozenset({WEB}),
    "tests/web/test_openapi.py::test_routes": frozenset(),
}
FILES = dict.fromkeys(
    [
        CHAT,
        KEYS,
        WEB,
        "docs/api.md",
        "pyproject.toml",
        "web/src/app.ts",
        "tests/chat/test_chat.py",
        "tests/chat/help.py",
    ],
    "old",
)
IMPORTS = Imports({CHAT: [KEYS], "tests/chat/test_chat.py": ["tests/chat/help.py"], "tests/web/test_web.py": []})


def chosen(known: Reach | None, **changed: str) -> Choice:
    now = FILES | {name: digest for name, digest in changed.items() if digest}
    for name in (name for name, digest in changed.items() if not digest):
        del now[name]
    return choose(known, now, [*TESTS, "tests/new/test_new.py::test_it"], IMPORTS)


NEW = "tests/new/test_new.py::test_it"
REFUSED, POST, ROOM, PAGE, ROUTES = TESTS


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ({}, set()),
        ({CHAT: "new"}, {POST, ROOM, REFUSED, ROUTES}),
        ({CHAT: ""}, {POST, ROOM, REFUSED, ROUTES}),
        ({"docs/api.md": "new"}, {POST}),
        ({WEB: "new", "docs/api.md": "new"}, {POST, PAGE, REFUSED}),
        ({KEYS: "new"}, {POST, ROOM, REFUSED, ROUTES}),
        ({"web/src/app.ts": "new"}, {PAGE, REFUSED}),
        ({"tests/chat/test_chat.py": "new"}, {POST, ROOM}),
        ({"tests/chat/help.py": "new"}, {POST, ROOM}),
        ({"tests/chat/conftest.py": "new"}, {POST, ROOM}),
    ],
)
def test_those_are_chosen_that_reach_what_changed_and_those_that_are_new(
    changed: dict[str, str], tests: set[str]
) -> None:
    assert chosen(Reach(FILES, TESTS), **changed).tests == tests | {NEW}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"pyproject.toml": "new"}, "all tests: pyproject.toml has changed, which concerns all of them"),
        ({"tests/support/http.py": "new"}, "all tests: tests/support/http.py has changed, which concerns all of them"),
        ({"functions/unknown.py": "new"}, "all tests: none is known to reach functions/unknown.py"),
        ({"LICENSE": "new", CHAT: "new"}, "all tests: none is known to reach LICENSE"),
    ],
    ids=str,
)
def test_all_are_chosen_if_it_cannot_be_told(changed: dict[str, str], why: str) -> None:
    choice = chosen(Reach(FILES, TESTS), **changed)
    assert choice == Choice(frozenset({*TESTS, NEW}), why)


def test_all_are_chosen_the_first_time() -> None:
    assert chosen(None).tests == {*TESTS, NEW}


def test_what_failed_is_chosen_until_it_passes() -> None:
    assert chosen(Reach(FILES, TESTS, frozenset({PAGE, "tests/gone.py::test_it"}))).tests == {PAGE, NEW}


PROGRAM = '''
"""A module."""
from __future__ import annotations

def plain(number):
    """Doc."""
    return number + 1

def only_a_docstring():
    """Doc."""

def several():
    yield 1
    yield from (each for each in (2, 3))

async def later():
    return 4

class Kind:
    @property
    def value(self):
        nonlocal_free = 5
        return nonlocal_free

square = lambda number, by=1: number * number * by
'''


def run(calls: str) -> tuple[Any, set[str]]:
    """What a call of PROGRAM's functions gives, and what they note."""
    tree = noting.Noting("it.py").visit(ast.parse(PROGRAM))
    notes: set[str] = set()
    names: dict[str, Any] = {"__builtins__": {**vars(builtins), noting.NAME: notes.add}, "asyncio": asyncio}
    exec(compile(tree, "it.py", "exec"), names)
    assert notes == set(), "an import alone is not noted"
    assert names["plain"].__doc__ == "Doc."
    return eval(calls, names), notes


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("plain(1)", 2),
        ("only_a_docstring()", None),
        ("[*several()]", [1, 2, 3]),
        ("asyncio.run(later())", 4),
        ("Kind().value", 5),
        ("square(3)", 9),
        ("square(3, by=2)", 18),
    ],
)
def test_each_function_notes_its_file_and_does_what_it_did(call: str, value: Any) -> None:
    assert run(call) == (value, {"it.py"})


def test_a_function_of_a_job_runs_where_nothing_is_noted() -> None:
    """Spark sends functions to processes of its own."""
    tree = noting.Noting("batch/it.py").visit(ast.parse(PROGRAM))
    names: dict[str, Any] = {"asyncio": asyncio}
    exec(compile(tree, "it.py", "exec"), names)
    assert names["square"](3) == 9
    assert names["plain"](1) == 2
    with patch.object(builtins, noting.NAME, (notes := set[str]()).add, create=True):
        assert names["square"](3) == 9
    assert notes == {"batch/it.py"}


def test_files_are_told_from_what_is_installed_or_made() -> None:
    root = noting.ROOT
    assert noting.file_at(f"{root}docs/api.md") == "docs/api.md"
    assert noting.file_at(f"{root}docs/../README.md") == "README.md"
    for other in (".venv/x.py", "node_modules/x.js", ".local/x", "docs/__pycache__/x.pyc"):
        assert noting.file_at(root + other) is None
    assert noting.file_at("/etc/hosts") is None


def test_a_process_that_a_test_starts_notes_what_it_reaches(tmp_path: Path) -> None:
    program = (
        "from edgewise.times import from_rfc_3339; from_rfc_3339('2026-11-29T00:00:00Z'); open('README.md').read()"
    )
    child = Path(noting.__file__).with_name("child")
    env = {"PYTHONPATH": str(child), "EDGEWISE_REACH": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", program], cwd=noting.ROOT, env=env, check=True)
    (file,) = tmp_path.iterdir()
    noted = set(file.read_text().split())
    assert {"edgewise/times.py", "README.md"} <= noted
    assert "functions/catalog.py" not in noted


def test_what_is_only_packed_for_a_deployment_is_noted_when_it_runs(tmp_path: Path) -> None:
    """Each test of a template or of a cloud asks for the digests of all functions."""
    program = (
        "from infra.bundle import code_digest; code_digest('billing');"
        "open('functions/systems/billing/store.py').read(); open('infra/http.py').read()"
    )
    child = Path(noting.__file__).with_name("child")
    env = {"PYTHONPATH": str(child), "EDGEWISE_REACH": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", program], cwd=noting.ROOT, env=env, check=True)
    (file,) = tmp_path.iterdir()
    noted = set(file.read_text().split())
    assert {"infra/bundle.py", "infra/http.py", "functions/systems/billing/store.py"} <= noted
    assert "functions/systems/billing/routes.py" not in noted
