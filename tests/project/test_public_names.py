"""What `edgewise` offers: few names, each explained; whoever builds on it asks for nothing else."""

import ast
import builtins
import inspect
import pkgutil
import pydoc
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_origin, get_type_hints

import pytest

import edgewise
from edgewise import public, views
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


@pytest.mark.parametrize("name", views.__all__)
def test_each_word_of_views_is_explained(name: str) -> None:
    found = getattr(views, name)
    assert explained(name, found, "")


def public_ones() -> list[object]:
    return [*(getattr(edgewise, name) for name in homes()), *(getattr(views, name) for name in views.__all__)]


def modules(package: str) -> Iterator[str]:
    """The package's modules, and itself."""
    path = [str(ROOT / package.replace(".", "/"))]
    yield from (package, *(f"{package}.{each.name}" for each in pkgutil.iter_modules(path)))


def test_each_error_of_somebodys_table_is_public() -> None:
    """That the packages define, or that what they offer says of itself."""
    met, named = public_ones(), set[str]()
    for module in (import_module(name) for package in ("edgewise.own", "edgewise.views") for name in modules(package)):
        own = [each for _, each in inspect.getmembers(module, inspect.isclass) if each.__module__ == module.__name__]
        assert [each for each in own if issubclass(each, Exception) and each not in met] == []
    for each in (*(getattr(views, name) for name in views.__all__), edgewise.OwnTable, edgewise.consumer):
        documented = (each, *(vars(each).values() if inspect.isclass(each) else ()))
        named |= {error for one in documented for error in re.findall(r"\b\w+Error\b", inspect.getdoc(one) or "")}
    assert named >= {"DeclarationError", "CollisionError", "UnnamedTableError"}
    assert named <= {getattr(one, "__name__", "") for one in met} | {*dir(builtins)}


def test_whatever_a_view_is_asked_for_has_a_public_type() -> None:
    asked = [getattr(views.View, name) for name in vars(views.View) if not name.startswith("_") and name != "declared"]
    answers = {get_type_hints(each)["return"] for each in (*asked, views.health) if callable(each)}
    types = {get_origin(each) or each for each in answers}
    named = {"Self", "Rows", "Window", "Values", "Top", "Freshness", "Explained", "Health"}
    assert {each.__name__ for each in types} == named
    assert [each for each in types if each.__module__.startswith("edgewise") and each not in public_ones()] == []


def test_help_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    told = pydoc.plain(pydoc.render_doc(edgewise))
    listed = {*re.findall(r"^    (?:class )?(\w+)\b", told, re.MULTILINE)}
    assert homes().keys() - listed == set()
    assert edgewise.__version__ in told
    monkeypatch.setattr(public, "_CDK", "a_package_that_nobody_has")
    assert homes().keys() - {*dir(edgewise)} == {"ExactAggregates"}, "what can't be imported would end the listing"


def test_another_name_is_refused_by_that_name() -> None:
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        from edgewise import nothing  # type: ignore[attr-defined]  # noqa: F401


def test_examples_use_nothing_else() -> None:
    assert {module for _, module, _ in imported("examples")} == {"edgewise", "edgewise.views"}


def test_systems_reach_behind_it_no_further() -> None:
    behind = {(module, name) for _, module, name in imported("functions/systems") if module != "edgewise"}
    assert len(behind) <= BEHIND


def test_a_public_name_is_imported_as_such() -> None:
    places = ((path, module, name) for folder in ("functions", "examples") for path, module, name in imported(folder))
    assert [(path, name) for path, module, name in places if homes().get(name) == module] == []


def test_deciding_code_has_no_name_that_talks_to_the_table() -> None:
    deciding = ((path, name) for path, module, name in imported("functions/systems") if path.stem in DECIDING)
    assert [(path, name) for path, name in deciding if homes().get(name, "").startswith(TALKS)] == []
