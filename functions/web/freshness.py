"""Says of each answer that shows aggregates until when these hold every change; and lets a reader wait for a write."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from edgewise import InvalidInputError, Kind, Millis, Table, clock, millis, rfc_3339
from edgewise.failures import unless_passing
from edgewise.freshness import heartbeats, known
from edgewise.freshness.hops import Hop, Ways, promised, to_all
from edgewise.freshness.known import SKEW, Known
from edgewise.observability import logger
from edgewise.times import SECOND, parse_instant

# The parameter with which a reader waits, and the header of a write that gives its value.
AFTER, WRITTEN = "after", "x-after"
# What a function's environment knows may be this old.
FRESH = 2 * SECOND
# How many seconds a reader waits at most; and between two looks, before each of which it sends heartbeats.
PATIENCE, PAUSE = 5, 1
# Where it takes more heartbeats than these, nobody waits: each is a write unit, and they are sent one after the other.
MOST_BEATS = 100
# What is read eventually consistently, or from an index, may miss what was written in the last second.
SETTLED = SECOND


class Told(NamedTuple):
    """What an answer says. `behind`: its aggregates may lack what they should have, or what the reader waited for."""

    as_of: Millis | None
    behind: bool


def holding(table: Table, untold: Millis) -> Callable[[Kind], Millis]:
    """Read how far the stream's reader is; gives until when aggregates of a kind, read later, hold every change.

    `untold`: so long ago, if nobody tells; 0: no instant is known.
    """
    told = known.read(table)

    def holds(kind: Kind) -> Millis:
        now = clock.now()
        return told.as_of(to_all((kind,)), now - SETTLED) or 0 if told.is_told else now - untold

    return holds


def having(table: Table) -> Callable[[Kind], Millis]:
    """Read how far the stream's reader is; gives until when aggregates of a kind, read later, have every record.

    Only of what feeds them: what is still to be written below them will have records of its own. 0: nobody tells.
    """
    told, now = known.read(table, consistent=True), clock.now()

    def has(kind: Kind) -> Millis:
        way = (Hop.CARRIED, Hop.BROUGHT) if kind.shared else (Hop.ABSORBED,)
        return told.as_of([way], now) or 0

    return has


class Freshness:
    """What an environment knows of the stream, and says with the present answer: None if that shows no aggregates."""

    def __init__(self, table: Callable[[], Table]) -> None:
        self._table = table
        self._known, self._read_at = Known(), -FRESH
        self.told: Told | None = None

    def look(self, shown: Sequence[Kind], after: Millis | None, *, by_index: bool = False) -> None:
        """Find out what to say of aggregates of these kinds, before they are read.

        A reader who asks for what was written at `after` waits for it, but not for what goes by carriers; its reads of
        the table are strongly consistent, but none is `by_index`.
        """
        self.told = None
        if not shown:
            return
        ways, now = to_all(shown), clock.now()
        found = self._lately(now)
        as_of = found.as_of(ways, now - SETTLED)
        wanted = max(after or 0, now - promised(ways))
        if after is not None and found.is_told and _is_worth_waiting(found, ways):
            as_of = self._awaited(found, ways, after, as_of, SETTLED if by_index else 0)
        if found.is_told or after is not None:
            self.told = Told(as_of, behind=not _is_at(as_of, wanted))

    def _lately(self, now: Millis) -> Known:
        if now - self._read_at >= FRESH:
            self._read_at = now
            # What is read for many requests is no request's own: none pays for it, and none fails with it.
            with unless_passing(_unread):
                self._known = known.read(self._table().apart())
        return self._known

    def _awaited(self, found: Known, ways: Ways, after: Millis, as_of: Millis | None, settled: Millis) -> Millis | None:
        """As of when aggregates are as soon as they hold what was written at `after`, or the time is over.

        Each hop takes a heartbeat that was sent after the hop before it. A look costs the reader one request. If the
        table is busy, the answer is what it would be for those who wait in vain.
        """
        began = time.monotonic()
        with unless_passing(_unread):
            while not _is_at(as_of, after) and time.monotonic() - began < PATIENCE:
                heartbeats.beat_singly(self._table(), found)
                time.sleep(PAUSE)
                found = known.read(self._table())
                as_of = found.as_of(ways, clock.now() - settled)
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


def _is_worth_waiting(found: Known, ways: Ways) -> bool:
    """Whether what is waited for may come in time, and not too many heartbeats ask for it."""
    return not any(Hop.CARRIED in way for way in ways) and len(found.shards.heartbeats) <= MOST_BEATS


def _unread(error: Exception) -> None:
    logger.warning("freshness unread", error=str(error))


def _is_at(as_of: Millis | None, wanted: Millis) -> bool:
    return as_of is not None and as_of >= wanted
