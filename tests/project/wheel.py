"""The wheels of the library and of the delivery simulator, as they would be published."""

import subprocess
import sys
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

ROOT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


_CODE = ignore_patterns("__pycache__", "build", "*.egg-info")


def wheel(folder: Path) -> Path:
    """Build the library's in a folder, from a copy of it there."""
    source = folder / "source"
    copied(source)
    return _built(source, folder)


def copied(source: Path) -> None:
    """Copy what the library is built from into a new folder, without anything that other builds left behind."""
    for name in ("functions", "infra"):
        (source / name).mkdir(parents=True)
    for name in ("edgewise", "delivery"):
        copytree(ROOT / name, source / name, ignore=_CODE)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        copy(ROOT / name, source)


def cloned(source: Path) -> None:
    """The same as a repository, like a clone of this one."""
    copied(source)
    author = ["-c", "user.name=tests", "-c", "user.email=tests@example.com"]
    for command in (["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message", "A copy"]):
        subprocess.run(["git", *command], cwd=source, check=True)


def simulator(folder: Path) -> Path:
    """Build the simulator's in a folder."""
    source = folder / "delivery"
    copytree(ROOT / "delivery", source, ignore=_CODE)
    return _built(source, folder)


def _built(source: Path, folder: Path) -> Path:
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(source)], check=True)
    (built,) = folder.glob("*.whl")
    return built
