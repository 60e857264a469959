"""Starts, awaits and stops other programs: free ports, polling with a deadline, process groups."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import requests

from ops.errors import LocalError

# Between two looks: what comes soon is seen soon, and what takes long is not slowed down by those who wait for it.
SOON_SECONDS, POLL_SECONDS = 0.05, 0.5


class NotReadyError(LocalError):
    """A program was not ready in time, or ended instead."""


class MissingProgramError(LocalError):
    """A program is not installed."""


def needed(program: str, package: str) -> None:
    """Raise MissingProgramError, which names what to install, unless the program is on the path."""
    if shutil.which(program) is None:
        raise MissingProgramError(f"{program} is needed and not found: install {package}")


def free_port() -> int:
    """A TCP port of the loopback interface on which no program listens now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_until(
    condition: Callable[[], bool], seconds: float, what: str, progress: Callable[[], object] = lambda: None
) -> None:
    """Poll until the condition holds; raises NotReadyError, naming `what`, when the seconds have passed.

    They pass again as long as `progress`, asked each time when they have passed, gives something else.
    """
    deadline, seen, pause = time.monotonic() + seconds, None, SOON_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            before, seen, deadline = seen, progress(), time.monotonic() + seconds
            if seen == before:
                raise NotReadyError(f"{what}: not within {seconds:g} seconds")
        time.sleep(pause)
        pause = min(pause * 1.25, POLL_SECONDS)


def answers(url: str) -> bool:
    """Whether an HTTP server answers at this address, with any status."""
    try:
        requests.get(url, timeout=5)
    except requests.RequestException:
        return False
    return True


def taken(port: int) -> bool:
    """Whether a program on this machine listens on a TCP port, even if it never answers."""
    try:
        socket.create_connection(("localhost", port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    except TimeoutError:  # the listener's backlog is full
        return True
    return True


def wait_for_server(process: subprocess.Popen[bytes], url: str, seconds: float, log: Path) -> None:
    """Wait until `url` answers; raises NotReadyError with the end of `log` if the process ends or is slow."""

    def ready_or_ended() -> bool:
        return process.poll() is not None or answers(url)

    try:
        wait_until(ready_or_ended, seconds, url)
        if process.poll() is not None:
            raise NotReadyError(f"ended with status {process.returncode} instead of serving {url}")
    except NotReadyError as error:
        tail = log.read_text(errors="replace").splitlines()[-20:]
        raise NotReadyError("\n".join([str(error), *tail])) from None


def stop_group(pid: int, seconds: float = 10) -> None:
    """Stop a process that leads its own group, and its children: SIGTERM first, then SIGKILL for what remains."""
    _signal_group(pid, signal.SIGTERM)
    with suppress(NotReadyError):
        wait_until(lambda: not alive(pid), seconds, f"end of process {pid}")
    _signal_group(pid, signal.SIGKILL)


def alive(pid: int) -> bool:
    """Whether the process is still running; a child that has ended is reaped on the way."""
    with suppress(ChildProcessError):  # a child of an earlier run can't be reaped here
        os.waitpid(pid, os.WNOHANG)
    # A zombie still accepts signals, but it no longer has a command line.
    return bool(command_line(pid))


def command_line(pid: int) -> str:
    """The program and arguments of a running process; empty when there is none."""
    if Path("/proc").is_dir():
        with suppress(FileNotFoundError, ProcessLookupError):
            return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        return ""
    # Other Unixes have no /proc, and small Linux images have no ps.
    return subprocess.run(["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True).stdout


def _signal_group(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, number)
