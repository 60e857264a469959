"""An interrupt is not lost: Python drops what is raised in a destructor or a callback, so it is raised again."""

import signal
from typing import Any, NoReturn

# Long enough to be heard, short enough for somebody who waits.
AGAIN_SECONDS = 1


def insist() -> None:
    """Raise KeyboardInterrupt in the main thread at each SIGINT, then once a second until `heard` is called."""
    for number in (signal.SIGINT, signal.SIGALRM):
        signal.signal(number, _interrupt)


def heard() -> None:
    """Interrupt no more: whoever cleans up takes a moment, and somebody may press Ctrl-C again."""
    signal.alarm(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt(*_: Any) -> NoReturn:
    signal.alarm(AGAIN_SECONDS)
    raise KeyboardInterrupt
