"""Import contracts are about rooms: a module that nobody has listed is covered as soon as it is there."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINTER = Path(sys.executable).with_name("lint-imports")
PACKAGES = ("edgewise", "functions", "delivery")
CONTRACTS = ("deciding", "tables", "systems")
# A line of a module of a scratch copy, and what it may not import there.
ADDED = {
    "edgewise/aggregates/newly.py": ("import time", "time"),
    "edgewise/aggregates/recounts/newly.py": ("from edgewise.dynamodb.table import Table", "edgewise.dynamodb.table"),
    "edgewise/items/newly.py": ("from edgewise import clock", "edgewise.clock"),
    "edgewise/sharding/newly.py": ("import os", "os"),
    "functions/systems/newly/__init__.py": ("", ""),
    "functions/systems/newly/entity.py": ("import boto3", "boto3"),
    "functions/systems/newly/keys.py": ("from edgewise import observability", "edgewise.observability"),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The engine and the application, and the contracts about them."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.pyc", "*.json"))
    roots = f"root_packages = {list(PACKAGES)}"
    lines = (ROOT / "pyproject.toml").read_text().splitlines()
    told = [roots if each.startswith("root_packages") else each for each in lines]
    (tmp_path / "contracts.toml").write_text("\n".join(told))
    return tmp_path


def test_a_module_that_nobody_has_listed_is_covered(check_packages: None, copy: Path) -> None:
    for path, (line, _) in ADDED.items():
        (copy / path).parent.mkdir(exist_ok=True)
        (copy / path).write_text(f"{line}\n")
    chosen = [word for each in CONTRACTS for word in ("--contract", each)]
    command = [str(LINTER), "--config", "contracts.toml", "--no-cache", *chosen]
    said = subprocess.run(command, cwd=copy, capture_output=True, text=True).stdout
    found = {
        path: refused
        for path, (_, refused) in ADDED.items()
        if f"{path.removesuffix('.py').replace('/', '.')} -> {refused} " in said
    }
    assert found == {path: refused for path, (_, refused) in ADDED.items() if refused}, said
