"""The time of day, as one function that tests replace."""

import time
from collections.abc import Callable

from edgewise.times import Millis

# Whether there is time to begin another request.
MayGoOn = Callable[[], bool]


def now() -> Millis:
    """The present time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
