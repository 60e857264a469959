"""`make verify ON=local|STAGE`: proves that a deployment's numbers are exact, and observes how AWS behaves there.

Exit status 0: exact; 1: a number differs; 2: a step could not be run; 130: interrupted.
"""

import os
import secrets
import signal
import sys

from ops import terminal
from ops.errors import LocalError
from verify.report import UNFINISHED, masked
from verify.run import run
from verify.target import target

INTERRUPTED = 128 + signal.SIGINT  # as shells report it
LEAST_EVENTS, DEFAULT_EVENTS, SEEDS = 200, 2000, 10**6


def main(stage: str) -> int:
    """Run once on a stage; returns the exit status."""
    console = terminal.console()
    try:
        events = _number("EVENTS", DEFAULT_EVENTS, LEAST_EVENTS)
        return run(target(stage), console, _number("SEED", secrets.randbelow(SEEDS), 0), events)
    except LocalError as error:
        console.print(masked(str(error)), style="red", markup=False)
        return UNFINISHED
    except KeyboardInterrupt:
        console.print("interrupted")
        return INTERRUPTED


def _number(name: str, default: int, least: int) -> int:
    text = os.environ.get(name) or str(default)
    if not text.isdecimal() or int(text) < least:
        raise LocalError(f"{name}={text}: expected a whole number from {least} on")
    return int(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
