"""Waits until all numbers are as expected: reads those that differ again, up to a time limit."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from ops.api import Api
from ops.threads import threads
from verify.facts import Check, Difference, differences

BY_API = "through the API"
PAUSE_SECONDS = 0.5
T = TypeVar("T")


def settled(api: Api, checks: Sequence[Check], seconds: float, agreed: Callable[[int], None]) -> list[Difference]:
    """The differences that the API still returns when the time is over; empty once all numbers are as expected."""
    return until_equal(checks, lambda check: differences(check.expected, check.read(api), BY_API), seconds, agreed)


def until_equal(
    items: Sequence[T],
    differs: Callable[[T], Iterable[Difference]],
    seconds: float,
    agreed: Callable[[int], None],
) -> list[Difference]:
    """Look at the items that differ, again and again, until none does or the time is over, but once at least.

    Calls `agreed` with how many agree.
    """
    deadline = time.monotonic() + seconds
    while True:
        with threads() as pool:
            found = list(zip(items, pool.map(lambda item: list(differs(item)), items), strict=True))
        left = [(item, different) for item, different in found if different]
        agreed(len(found) - len(left))
        if not left or time.monotonic() > deadline:
            return [each for _, different in left for each in different]
        items = [item for item, _ in left]
        time.sleep(PAUSE_SECONDS)
