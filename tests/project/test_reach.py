"""`make check` runs the tests that a change reaches."""

import ast
import asyncio
import builtins
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.support.reach import noting, pieces
from tests.support.reach.choosing import Choice, Imports, Reach, choose

CHAT, KEYS, WEB = "functions/systems/chat/store.py", "functions/systems/chat/keys.py", "infra/console/build.py"
TESTS = {
    "tests/systems/chat/test_routes.py::test_refused": frozenset({WEB}),
    "tests/chat/test_chat.py::test_post": frozenset({f"{CHAT}::post", f"{CHAT}::keep", "docs/api.md"}),
    "tests/chat/test_chat.py::test_room": frozenset({f"{CHAT}::Room.open", f"{CHAT}::keep"}),
    "tests/web/test_web.py::test_page": frozenset({f"{WEB}::build"}),
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
PARTS = dict.fromkeys([f"{CHAT}::", f"{CHAT}::post", f"{CHAT}::Room.open", f"{CHAT}::keep", f"{CHAT}::idle"], "old")
KNOWN = Reach(FILES | PARTS, TESTS, once=frozenset({f"{CHAT}::keep"}))
IMPORTS = Imports({CHAT: [KEYS], "tests/chat/test_chat.py": ["tests/chat/help.py"], "tests/web/test_web.py": []})


def chosen(known: Reach | None, **changed: str) -> Choice:
    now = FILES | PARTS | {name: digest for name, digest in changed.items() if digest}
    for name in (name for name, digest in changed.items() if not digest):
        del now[name]
    return choose(known, now, [*TESTS, "tests/new/test_new.py::test_it"], IMPORTS)


NEW = "tests/new/test_new.py::test_it"
REFUSED, POST, ROOM, PAGE, ROUTES = TESTS


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ({}, set()),
        # What a function does concerns those that call it, and its system's own.
        ({CHAT: "new", f"{CHAT}::post": "new"}, {POST, REFUSED}),
        ({CHAT: "new", f"{CHAT}::Room.open": "new"}, {ROOM, REFUSED}),
        # Not so what is declared, what runs once in a process, what nobody is seen to call: these concern the file.
        ({CHAT: "new", f"{CHAT}::": "new"}, {POST, ROOM, REFUSED, ROUTES}),
        ({CHAT: "new", f"{CHAT}::keep": "new"}, {POST, ROOM, REFUSED, ROUTES}),
        ({CHAT: "new", f"{CHAT}::idle": "new"}, {POST, ROOM, REFUSED, ROUTES}),
        ({CHAT: "new", f"{CHAT}::added": "new"}, {POST, ROOM, REFUSED, ROUTES}),
        # Comments.
        ({CHAT: "new"}, {REFUSED}),
        (dict.fromkeys([CHAT, *PARTS], ""), {POST, ROOM, REFUSED, ROUTES}),
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
    assert chosen(KNOWN, **changed).tests == tests | {NEW}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"pyproject.toml": "new"}, "all tests: pyproject.toml has changed, which concerns all of them"),
        ({"tests/support/http.py": "new"}, "all tests: tests/support/http.py has changed, which concerns all of them"),
        ({"functions/unknown.py": "new"}, "all tests: none is known to reach functions/unknown.py"),
        ({"LICENSE": "new", f"{CHAT}::": "new"}, "all tests: none is known to reach LICENSE"),
    ],
    ids=str,
)
def test_all_are_chosen_if_it_cannot_be_told(changed: dict[str, str], why: str) -> None:
    choice = chosen(KNOWN, **changed)
    assert choice == Choice(frozenset({*TESTS, NEW}), why)


def test_all_are_chosen_the_first_time() -> None:
    assert chosen(None).tests == {*TESTS, NEW}


def test_what_failed_is_chosen_until_it_passes() -> None:
    assert chosen(replace(KNOWN, failed=frozenset({PAGE, "tests/gone.py::test_it"}))).tests == {PAGE, NEW}


PROGRAM = '''
"""A module."""
from __future__ import annotations
from functools import cache

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
        def inner():
            return 5
        return inner()

@cache
def kept(number):
    """Doc."""
    return plain(number)

square = lambda number, by=1: number * number * by
'''


def run(calls: str) -> tuple[Any, set[str]]:
    """What a call of PROGRAM's functions gives, and what they note."""
    tree = noting.Noting("it.py").visit(ast.parse(PROGRAM))
    notes: set[str] = set()
    own = {**vars(builtins), noting.NAME: notes.add, noting.ONCE: lambda: noting.once()}
    names: dict[str, Any] = {"__builtins__": own, "asyncio": asyncio}
    exec(compile(tree, "it.py", "exec"), names)
    assert notes == set(), "an import alone is not noted"
    assert names["plain"].__doc__ == names["kept"].__doc__ == "Doc."
    return eval(calls, names), notes


@pytest.mark.parametrize(
    ("call", "value", "noted"),
    [
        ("plain(1)", 2, {"plain"}),
        ("only_a_docstring()", None, {"only_a_docstring"}),
        ("[*several()]", [1, 2, 3], {"several"}),
        ("asyncio.run(later())", 4, {"later"}),
        ("Kind().value", 5, {"Kind.value"}),
        ("(kept(1), kept(1))", (2, 2), {"kept", "plain"}),
        ("square(3)", 9, {""}),
        ("square(3, by=2)", 18, {""}),
    ],
)
def test_each_function_notes_itself_and_does_what_it_did(call: str, value: Any, noted: set[str]) -> None:
    assert run(call) == (value, {f"it.py::{name}" for name in noted})


def test_a_function_of_a_job_runs_where_nothing_is_noted() -> None:
    """Spark sends functions to processes of its own."""
    tree = noting.Noting("batch/it.py").visit(ast.parse(PROGRAM))
    names: dict[str, Any] = {"asyncio": asyncio}
    exec(compile(tree, "it.py", "exec"), names)
    assert names["square"](3) == 9
    assert names["kept"](1) == 2
    with patch.object(builtins, noting.NAME, (notes := set[str]()).add, create=True):
        assert names["square"](3) == 9
    assert notes == {"batch/it.py::"}


def test_a_part_changes_with_what_it_does_and_the_declaration_with_the_rest() -> None:
    before = pieces.digests("it.py", PROGRAM.encode())
    assert before.keys() == {
        f"it.py::{name}" for name in ("", "plain", "only_a_docstring", "several", "later", "Kind.value", "kept")
    }

    def changed(old: str, new: str) -> set[str]:
        assert PROGRAM.count(old) == 1
        after = pieces.digests("it.py", PROGRAM.replace(old, new).encode())
        return {name.partition("::")[2] for name in before.keys() | after.keys() if before.get(name) != after.get(name)}

    assert changed("number + 1", "number + 2") == {"plain"}
    assert changed("number + 1", "number  +  1  # a comment") == set()
    assert changed("return 5", "return 6") == {"Kind.value"}
    assert changed("def plain(number)", "def plain(number=1)") == {""}
    assert changed("by=1", "by=2") == changed("number * by", "by") == changed("@cache", "") == {""}
    assert changed("several", "many") == {"", "several", "many"}


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
    assert {"edgewise/times.py::from_rfc_3339", "README.md"} <= noted
    assert not any(name.startswith("functions/catalog.py") for name in noted)


def test_what_runs_once_in_a_process_is_marked(tmp_path: Path) -> None:
    """What an import calls, and what a cached function calls, is not called again for the tests that come later."""
    program = "from functions.systems.billing import items; from infra.bundle import code_digest; code_digest('chat')"
    child = Path(noting.__file__).with_name("child")
    env = {"PYTHONPATH": str(child), "EDGEWISE_REACH": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", program], cwd=noting.ROOT, env=env, check=True)
    (file,) = tmp_path.iterdir()
    noted = set(file.read_text().split())
    once = {name.removeprefix("@") for name in noted if name.startswith("@")}
    assert once <= noted
    assert "edgewise/items/item_type.py::ItemType.__init__" in once
    assert "infra/bundle.py::code_digest" in noted - once


def test_what_is_only_packed_for_a_deployment_is_noted_when_it_runs(tmp_path: Path) -> None:
    """Each test of a template or of a cloud asks for the digests of all functions."""
    program = (
        "from infra.bundle import code_digest; code_digest('billing');"
        "import compileall; compileall.compile_file('functions/systems/billing/amounts.py', quiet=1, force=True);"
        "open('functions/systems/billing/store.py').read(); open('infra/http.py').read()"
    )
    child = Path(noting.__file__).with_name("child")
    env = {"PYTHONPATH": str(child), "EDGEWISE_REACH": str(tmp_path), "PATH": ""}
    subprocess.run([sys.executable, "-c", program], cwd=noting.ROOT, env=env, check=True)
    (file,) = tmp_path.iterdir()
    noted = set(file.read_text().split())
    assert {"infra/bundle.py::code_digest", "infra/http.py", "functions/systems/billing/store.py"} <= noted
    assert noted.isdisjoint({"functions/systems/billing/routes.py", "functions/systems/billing/amounts.py"})
