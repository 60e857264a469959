"""What docs/adding-an-entity.md says is done to a copy of the project, which must then pass its own test."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "adding-an-entity.md"
COPIED = ("functions", "infra", "local", "benchmarks", "delivery", "tests", "docs", "pyproject.toml")
BLOCK = re.compile(r"^```(python|diff) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy(source, tmp_path / name)
    (tmp_path / ".local").symlink_to(ROOT / ".local")  # what DynamoDB Local is run from
    return tmp_path


def test_who_follows_the_page_has_a_new_entity(copy: Path) -> None:
    new, listed = follow(copy)
    run(copy, "ruff", "check", "--quiet", *new)
    run(copy, "ruff", "format", "--quiet", "--check", *new)
    run(copy, "ruff", "check", "--quiet", "--fix", *listed)
    run(copy, "docs.build")
    run(copy, "pytest", "-p", "no:cacheprovider", "tests/handlers/test_bookmarks.py")
    run(copy, "pytest", "-p", "no:cacheprovider", "tests/docs/test_generated.py", "-k", "bookmark or every")


def test_the_page_is_one_page_of_prose() -> None:
    assert len(BLOCK.sub("", PAGE.read_text()).split()) < 250


def follow(project: Path) -> tuple[list[str], list[str]]:
    """Do what each block of the page says; returns the new files and the changed ones."""
    new: list[str] = []
    listed: list[str] = []
    for kind, name, content in BLOCK.findall(PAGE.read_text()):
        target = project / name
        if kind == "python":
            assert not target.exists(), f"{name} exists already"
            target.write_text(content)
            new.append(name)
        else:
            target.write_text(inserted(target.read_text(), content))
            listed.append(name)
    return new, listed


def inserted(text: str, diff: str) -> str:
    """The text with each added line after the line of context before it, which must stand there exactly once."""
    context = ""
    for line in diff.splitlines():
        if line.startswith("+"):
            assert text.count(context) == 1, f"{context!r} stands {text.count(context)} times"
            text = text.replace(context, f"{context}{line[1:]}\n")
        else:
            context = f"{line[1:]}\n"
    return text


def run(project: Path, *command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
