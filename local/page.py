"""Builds the console's page."""

import subprocess
from pathlib import Path

from local.errors import LocalError
from local.paths import VITE, WEB


class PageError(LocalError):
    """The page can't be built; the message is that of the build."""


def build(folder: Path) -> None:
    """Write the page to a folder, where nothing else stays; raises PageError."""
    if not VITE.exists():
        raise PageError("what builds the console is not installed: make setup")
    command: list[str | Path] = [VITE, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"]
    done = subprocess.run(command, cwd=WEB, capture_output=True, text=True)
    if done.returncode:
        raise PageError(f"the console can't be built:\n{done.stdout}{done.stderr}")
