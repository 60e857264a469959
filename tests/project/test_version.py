"""The application has one version: pyproject.toml states it."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copy

from functions.systems.api.routes import OPENAPI

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_api_says_the_version() -> None:
    assert json.loads(OPENAPI.read_text())["info"]["version"] == VERSION


def test_the_changelog_begins_with_it() -> None:
    versions = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == VERSION


def test_the_project_can_be_installed_and_brings_no_module(tmp_path: Path) -> None:
    """What the folders of an application are called must not be found by everybody's Python."""
    source, target = tmp_path / "source", tmp_path / "target"
    for name in ("functions", "infra"):
        (source / name).mkdir(parents=True)
    copy(ROOT / "pyproject.toml", source)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*install, "--target", str(target), str(source)], check=True)
    assert [path.name for path in target.iterdir()] == [f"edgewise-{VERSION}.dist-info"]
