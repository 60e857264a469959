"""Where a store lets the simulator in: around every write that a handler makes."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class KilledError(BaseException):
    """The function's process ends here. Not an Exception: nothing in a handler survives its own process."""


class ThrottledError(Exception):
    """The table has no capacity for this write, and the SDK's own retries are used up."""


class WriteHook(Protocol):
    """What a store calls. Outside of invocations both do nothing."""

    def before(self) -> None:
        """A write is about to be made; raises KilledError or ThrottledError instead, or lets others run first."""

    def after(self) -> bool:
        """It was applied. True: it was answered 500, and the same write must be sent again. May raise KilledError."""


def through(hook: WriteHook, write: Callable[[], T]) -> T:
    """Make a write of a store in memory: as often as the hook wants it, with the answer to the last."""
    hook.before()
    answer = write()
    while hook.after():
        answer = write()
    return answer
