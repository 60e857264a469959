"""The time of day, as one function that tests replace."""

import time

from edgewise.times import Millis


def now() -> Millis:
    """The present time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
