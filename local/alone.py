"""Run a command while no other program of this user runs one in this way: `python -m local.alone npm ci ...`.

Two programs that fill npm's cache at once can fail each other. Needs nothing but Python's library: set-up calls it
before anything is installed.
"""

import fcntl
import subprocess
import sys
from pathlib import Path

LOCK = Path.home() / ".cache" / "edgewise" / "set-up.lock"


def run(command: list[str], lock: Path = LOCK) -> int:
    """Wait until the lock is free, run the command, and return its status; a command that fails is named."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"another set-up is under way and holds {lock}: waiting for its end ...", flush=True)
            fcntl.flock(held, fcntl.LOCK_EX)
        status = subprocess.run(command).returncode
    if status:
        print(f"{' '.join(command)}: ended with status {status}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
