"""The library's wheel, as it would be published."""

import subprocess
import sys
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

ROOT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


def wheel(folder: Path) -> Path:
    """Build it in a folder, from a copy without anything that other builds left behind."""
    source = folder / "source"
    for name in ("functions", "infra"):
        (source / name).mkdir(parents=True)
    copytree(ROOT / "edgewise", source / "edgewise", ignore=ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE"):
        copy(ROOT / name, source)
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", str(folder), str(source)], check=True)
    (built,) = folder.glob("*.whl")
    return built
