"""What a function has leased for its callers, and spends without a request to the table.

So one write of the caller's item (functions/rates.py) covers many requests. What a caller may take beyond a burst and
the rate, in each environment of a function: a lease that is held, one more that is owed, and what a single request
takes that did not say so before.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from aws_lambda_powertools.metrics import MetricUnit

from edgewise import Millis, RefusedError, Table, clock, decoded
from edgewise.dynamodb.throttling import UnprocessedError
from edgewise.failures import unless_passing
from edgewise.observability import logger, metrics
from edgewise.times import SECOND
from functions import rates
from functions.errors import RateExceededError

# Of another function's environment that leases for the same caller at the same time, the next one is tried.
_TRIES = 10
# After a fault, nothing is leased for so long.
_PAUSE = SECOND
# Callers of whom something is known: an environment that has met more forgets them all.
_MOST = 10_000


class Rated(NamedTuple):
    """A caller's `sub`, and rate in units a second."""

    sub: str
    rate: int


@dataclass
class _Held:
    """What is left of a caller's leases (less than 0: it is owed), and until when the caller owes, as far as known."""

    left: float = 0.0
    until: Millis = rates.NOTHING
    resting: Millis = 0


class Leases:
    """The leases of one environment, for one request after the other."""

    def __init__(self, table: Callable[[], Table]) -> None:
        self._table = table
        self._held: defaultdict[str, _Held] = defaultdict(_Held)

    def need(self, caller: Rated, units: float) -> None:
        """Lease unless so much is left; raises RateExceededError, without a request to the table where it can.

        While the table does not take leases, callers go on, until they owe a burst: then it raises UnprocessedError.
        """
        held = self._held[caller.sub]
        if held.left >= units:
            return
        with unless_passing(lambda error: _rest(held, error)):
            self._lease(caller, held, max(units - held.left, rates.worth(rates.LEASE, caller.rate)), refusable=True)
        if held.left < -rates.worth(rates.BURST, caller.rate):
            raise UnprocessedError("what a caller has taken can't be noted")

    def owes(self, caller: Rated) -> bool:
        """Whether the caller owes too much to take anything, as far as this environment knows: it asks nobody."""
        held = self._held.get(caller.sub)
        return held is not None and rates.wait(held.until, clock.now()) > 0

    def spend(self, caller: Rated, units: float) -> None:
        """Take units that a request has used. What it used beyond leases is settled with the next one, or at once."""
        held = self._held[caller.sub]
        held.left -= units
        if held.left < -rates.worth(rates.LEASE, caller.rate):
            with unless_passing(lambda error: _rest(held, error)):
                self._lease(caller, held, -held.left, refusable=False)
        if len(self._held) > _MOST:
            self._held.clear()

    def _lease(self, caller: Rated, held: _Held, units: float, *, refusable: bool) -> None:
        if clock.now() < held.resting:
            return
        for _ in range(_TRIES):
            now = clock.now()
            until = rates.owed(held.until, now, caller.rate, units)
            pause = rates.wait(until, now)
            if refusable and pause:
                raise RateExceededError(caller.rate, ceil(pause / SECOND))
            try:
                self._table().write(rates.taking(caller.sub, held.until, until))
            except RefusedError as refusal:
                held.until = decoded(rates.until, refusal.item) if refusal.item else rates.NOTHING
                continue
            held.left, held.until = held.left + units, until
            return
        raise UnprocessedError("others lease for the same caller")


def _rest(held: _Held, error: Exception) -> None:
    held.resting = clock.now() + _PAUSE
    logger.warning("nothing leased", error=str(error))
    metrics.add_metric("LeasesFailed", MetricUnit.Count, 1)
