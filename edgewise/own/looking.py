"""Reads numbers, and what readers must doubt, as they were at one moment, though a request is no snapshot.

The writers' order is: a record is doubted, then aggregates pass it, then it is applied to all of them, then it is not
doubted any more. A reader can go wrong in two ways: it may get the doubts before the first of these and a number after
the second; or a number before the third and the doubts after the fourth.

In the first case the number has heard of a later change of doubts than the reader has. In the second, the doubts have
just changed: then the reader looks again, and where they are still the same, they were so all the while.
"""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import TypeVar

from edgewise import clock
from edgewise.aggregates import doubts
from edgewise.aggregates.doubts import EVERYTHING, LONGEST_LOOK_SECONDS, Told
from edgewise.aggregates.stored import heard
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key

T = TypeVar("T")
# What was found, and the items that it was found in. The doubts are read in the last request, with all that changes.
Look = Callable[[], tuple[T, Mapping[Key, Item]]]
# Two are enough unless doubts change in between.
LOOKS = 3


def at_one_moment(look: Look[T]) -> tuple[T, Told]:
    """What is found, and what must be doubted of it: everything if doubts keep changing, or requests take too long."""
    before = None
    for _ in range(LOOKS):
        began = monotonic()
        found, items = look()
        told = doubts.told(items.get(doubts.KEY))
        current = all(heard(item) <= told.changed.version for item in items.values())
        current &= monotonic() - began < LONGEST_LOOK_SECONDS
        if current and (told.changed.version == before or not told.changed.is_recent(clock.now())):
            return found, told
        before = told.changed.version
    return found, told._replace(names=frozenset({EVERYTHING}))
