"""The time of day, pauses, and what these are measured by. They are replaced as a whole (edgewise/surroundings.py)."""

import time
from collections.abc import Callable

from edgewise.times import Millis

# Whether there is time to begin another request.
MayGoOn = Callable[[], bool]
# Seconds since some instant, by which pauses are measured.
monotonic = time.monotonic


def now() -> Millis:
    """The present time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def sleep(seconds: float) -> None:
    """Pause."""
    time.sleep(seconds)
