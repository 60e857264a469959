"""The application has one version: pyproject.toml states it."""

import json
import re
import subprocess
import tomllib
from email import message_from_string
from itertools import chain
from pathlib import Path

import edgewise
from functions.systems.api.routes import OPENAPI
from tests.project.wheel import PIP, ROOT, wheel

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_api_says_the_version() -> None:
    assert json.loads(OPENAPI.read_text())["info"]["version"] == VERSION


def test_the_changelog_begins_with_it() -> None:
    versions = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == VERSION


def test_the_library_says_it() -> None:
    assert edgewise.__version__ == VERSION


def test_what_is_installed_is_the_library_alone(tmp_path: Path) -> None:
    """What the folders of an application are called must not be found by everybody's Python."""
    target = tmp_path / "target"
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(target), str(wheel(tmp_path))], check=True)
    assert {path.name for path in target.iterdir()} == {"edgewise", f"edgewise-{VERSION}.dist-info"}
    assert _files(target) == _files(ROOT)
    told = message_from_string((target / f"edgewise-{VERSION}.dist-info" / "METADATA").read_text())
    assert (told["Version"], told["Description-Content-Type"]) == (VERSION, "text/markdown")
    assert str(told.get_payload()).strip() == (ROOT / "README.md").read_text().strip()


def _files(root: Path) -> set[str]:
    files = ((root / "edgewise").rglob(f"*{suffix}") for suffix in (".py", ".typed"))
    return {path.relative_to(root).as_posix() for path in chain.from_iterable(files)}
