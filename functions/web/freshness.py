"""Says of each answer that shows aggregates until when these hold every change; and lets a reader wait for a write."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from functions import clock
from functions.aggregates.kinds import Kind
from functions.dynamodb.table import Table
from functions.errors import InvalidInputError
from functions.freshness import heartbeats, known
from functions.freshness.hops import Hop, Hops, longest, promised
from functions.freshness.known import SKEW, Known
from functions.times import SECOND, Millis, millis, parse_instant, rfc_3339

# The parameter with which a reader waits, and the header of a write that gives its value.
AFTER, WRITTEN = "after", "x-after"
# What a function's environment knows may be this old.
FRESH = 2 * SECOND
# How many seconds a reader waits at most; between two looks, and between two heartbeats that it sends.
PATIENCE, PAUSE, BEAT = 5.5, 0.1, 0.5
# Readers who wait for nothing read eventually consistently, which may miss what was written in the last second.
SETTLED = SECOND


class Told(NamedTuple):
    """What an answer says. `behind`: its aggregates may lack what they should have, or what the reader waited for."""

    as_of: Millis | None
    behind: bool


class Freshness:
    """What an environment knows of the stream, and says with the present answer: None if that shows no aggregates."""

    def __init__(self, table: Callable[[], Table]) -> None:
        self._table = table
        self._known, self._read_at = Known(), -FRESH
        self.told: Told | None = None

    def look(self, shown: Sequence[Kind], after: Millis | None) -> None:
        """Find out what to say of aggregates of these kinds, before they are read.

        A reader who asks for what was written at `after` waits for it, but not for what goes by carriers.
        """
        self.told = None
        if not shown:
            return
        way, now = longest(shown), clock.now()
        found = self._lately(now)
        as_of = found.as_of(way, now - SETTLED)
        wanted = max(after or 0, now - promised(way))
        if after is not None and found.is_told and not _is_at(as_of, after) and Hop.CARRIED not in way:
            as_of = self._awaited(found, way, after)
        if found.is_told or after is not None:
            self.told = Told(as_of, behind=not _is_at(as_of, wanted))

    def _lately(self, now: Millis) -> Known:
        if now - self._read_at >= FRESH:
            # What is read for many requests is no request's own.
            self._known, self._read_at = known.read(self._table().apart()), now
        return self._known

    def _awaited(self, found: Known, way: Hops, after: Millis) -> Millis | None:
        """As of when aggregates are as soon as they hold what was written at `after`, or the time is over."""
        began, beaten = time.monotonic(), 0.0
        while True:
            if (now := time.monotonic()) - beaten >= BEAT:
                heartbeats.beat_singly(self._table(), found)
                beaten = now
            time.sleep(PAUSE)
            found = known.read(self._table(), consistent=True)
            as_of = found.as_of(way, clock.now())
            if _is_at(as_of, after) or time.monotonic() - began >= PATIENCE:
                return as_of


def written() -> str:
    """What a reader must give to read what was written until now, by whichever clock."""
    return rfc_3339(clock.now() + SKEW)


def after(given: Sequence[str]) -> Millis | None:
    """The instant that a reader gave, if any; raises InvalidInputError."""
    if not given:
        return None
    try:
        return millis(parse_instant(given[0]))
    except ValueError as error:
        raise InvalidInputError.of(AFTER, str(error)) from error


def _is_at(as_of: Millis | None, wanted: Millis) -> bool:
    return as_of is not None and as_of >= wanted
