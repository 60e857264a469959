"""The Makefile's commands as processes: what they print, and how they end."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local.processes import stop_group

ROOT = Path(__file__).parents[2]
PATIENCE = 300


@contextmanager
def running(module: str, *arguments: str, port: int | str, **env: str) -> "Iterator[subprocess.Popen[str]]":
    """A command of the Makefile's, in a process group of its own that ends with the block."""
    command, pipe = [sys.executable, "-m", module, *arguments], subprocess.PIPE
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"EDGEWISE_PORT": str(port)} | env,
        stdout=pipe,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        stop_group(process.pid)
        process.communicate()


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Its status, and everything that it has printed since."""
    printed, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, printed


def outcome(module: str, *arguments: str, port: int | str, **env: str) -> tuple[int, str]:
    """The status of a command that ends by itself, and everything that it printed."""
    with running(module, *arguments, port=port, **env) as process:
        return ended(process)
