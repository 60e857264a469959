"""Hooks by which a store calls the simulator around every write that a handler makes."""

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class KilledError(BaseException):
    """The function's process ends here. Not an Exception: no handler survives its own process."""


class ThrottledError(Exception):
    """The table has no capacity for this write, and the SDK's own retries are used up."""


class WriteHook(Protocol):
    """The hook that a store calls. Outside invocations both methods do nothing."""

    def before(self) -> None:
        """A write is about to be made; raises KilledError or ThrottledError instead, or lets others run first."""

    def after(self) -> bool:
        """The write was applied. True: the answer was 500, and the write must be sent again. May raise KilledError."""


def through(hook: WriteHook, write: Callable[[], T]) -> T:
    """Make a write to a store in memory, as often as the hook wants, and return the last answer."""
    hook.before()
    answer = write()
    while hook.after():
        answer = write()
    return answer
