"""What `edgewise` offers: few names, each explained; whoever builds on it asks for nothing else."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import edgewise
from edgewise.public import homes

ROOT = Path(__file__).parents[2]
MOST = 60
# The application is older than the list of public names. It may not come to depend on more of what is behind it.
BEHIND = 117
# What code that decides may have: it stays plain Python, also by way of the package.
DECIDING = ("entity", "keys", "patterns", "items", "codec")
TALKS = ("edgewise.dynamodb.table", "edgewise.dynamodb.creation", "edgewise.stream")


def imported(folder: str) -> Iterator[tuple[Path, str, str]]:
    """Each name that files below a folder import from edgewise: the file, the module and the name."""
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "edgewise":
                yield from ((path, node.module or "", alias.name) for alias in node.names)


def test_there_are_few() -> None:
    assert 40 < len(homes()) <= MOST


@pytest.mark.parametrize(("name", "home"), homes().items())
def test_each_is_what_its_module_says_and_explained(name: str, home: str) -> None:
    module = import_module(home)
    found = getattr(edgewise, name)
    assert found is getattr(module, name)
    assert explained(name, found, inspect.getsource(module))


def explained(name: str, found: object, source: str) -> bool:
    """A class or function has a docstring; any other value has a comment on the line before."""
    if inspect.isclass(found) or inspect.isfunction(found):
        return bool(found.__doc__) and found.__module__ != "builtins"
    lines = source.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith((f"{name} =", f"{name}:")))
    return lines[at - 1].startswith("#")


def test_another_name_is_refused_by_that_name() -> None:
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        from edgewise import nothing  # type: ignore[attr-defined]  # noqa: F401


def test_examples_use_nothing_else() -> None:
    assert {module for _, module, _ in imported("examples")} == {"edgewise"}


def test_systems_reach_behind_it_no_further() -> None:
    behind = {(module, name) for _, module, name in imported("functions/systems") if module != "edgewise"}
    assert len(behind) <= BEHIND


def test_a_public_name_is_imported_as_such() -> None:
    places = ((path, module, name) for folder in ("functions", "examples") for path, module, name in imported(folder))
    assert [(path, name) for path, module, name in places if homes().get(name) == module] == []


def test_deciding_code_has_no_name_that_talks_to_the_table() -> None:
    deciding = ((path, name) for path, module, name in imported("functions/systems") if path.stem in DECIDING)
    assert [(path, name) for path, name in deciding if homes().get(name, "").startswith(TALKS)] == []
