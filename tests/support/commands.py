"""The Makefile's commands as processes: what they print, and how they end."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ops.processes import stop_group

ROOT = Path(__file__).parents[2]
PATIENCE = 900
Spawned = AbstractContextManager["subprocess.Popen[str]"]


# What `make test` tells the makes that it starts; people start theirs without it.
INHERITED = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}


def running(module: str, *arguments: str, port: int | str, **env: str) -> Spawned:
    """A command of the Makefile's, in a process group of its own that ends with the block."""
    return spawned([sys.executable, "-m", module, *arguments], port, env)


@contextmanager
def spawned(
    command: list[str], port: int | str, env: Mapping[str, str] | None = None
) -> "Iterator[subprocess.Popen[str]]":
    """Any command, in a process group of its own that ends with the block."""
    pipe, inherited = subprocess.PIPE, {name: os.environ[name] for name in os.environ.keys() - INHERITED}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=inherited | {"EDGEWISE_PORT": str(port)} | dict(env or {}),
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


def made(target: str, *, port: int, folder: Path = ROOT, status: int = 0, **variables: str) -> str:
    """What `make TARGET NAME=value ...` prints, which must end with this status; everything is installed already."""
    told = [f"{name}={value}" for name, value in variables.items()]
    with spawned(["make", "-C", str(folder), "--no-print-directory", "-o", "setup", target, *told], port) as process:
        found, printed = ended(process)
    # Whatever a command ends with, make itself ends with 2 if it fails.
    assert found == (2 if status else 0), printed
    return printed


def outcome(module: str, *arguments: str, port: int | str, **env: str) -> tuple[int, str]:
    """The status of a command that ends by itself, and everything that it printed."""
    with running(module, *arguments, port=port, **env) as process:
        return ended(process)
