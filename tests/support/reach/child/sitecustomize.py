"""Let a Python process that a test starts note what it reaches, into a file of its own in EDGEWISE_REACH.

Python imports a module of this name at each start, from PYTHONPATH.
"""

import atexit
import importlib
import os
import sys
import threading
import time
from pathlib import Path

FLUSH_SECONDS = 0.1

if folder := os.environ.get("EDGEWISE_REACH"):
    sys.path.insert(0, str(Path(__file__).parents[1]))
    noting = importlib.import_module("noting")
    sys.path.pop(0)
    noting.begin()
    file = Path(folder) / f"{os.getpid()}-{time.monotonic_ns()}"

    def flush() -> None:
        """Append what was noted since the last time."""
        if taken := noting.take():
            with file.open("a") as lines:
                lines.writelines(f"{each}\n" for each in sorted(taken))

    def flush_often() -> None:
        """Functions' processes are killed, so nothing waits for their end."""
        pause = threading.Event()
        while not pause.wait(FLUSH_SECONDS):
            flush()

    threading.Thread(target=flush_often, daemon=True).start()
    atexit.register(flush)
