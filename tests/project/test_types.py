"""Whatever the project imports of the CDK has types, with all its bases: mypy is told which services to read."""

import ast
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import import_module
from typing import Any

from ops.paths import ROOT


def named() -> set[str]:
    """The modules of the CDK that mypy reads."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    overrides = (each for each in settings["overrides"] if each.get("follow_imports") == "normal")
    return {name for each in overrides for name in each["module"]}


def imported() -> Iterator[tuple[str, str]]:
    """Each module of the CDK, and each name that the project imports from it."""
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["packages"]
    for path in (path for package in packages for path in (ROOT / package).rglob("*.py")):
        if "node_modules" not in path.parts and "aws_cdk" in (text := path.read_text()):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "aws_cdk":
                    yield from ((str(node.module), alias.name) for alias in node.names)


def test_each_imported_name_has_types_and_so_have_its_bases() -> None:
    read, found = named(), set(imported())
    assert found
    for module, name in found:
        thing: Any = getattr(import_module(module), name)
        bases = {base.__module__ for base in getattr(thing, "__mro__", ())}
        of_cdk = (base for base in {module, *bases} if base.partition(".")[0] == "aws_cdk")
        untyped = [base for base in of_cdk if not any(fnmatch(base, pattern) for pattern in read)]
        assert not untyped, f"{name} of {module}"
