"""What requests cost their callers: units of their rates (functions/rates.py), counted when they have been used."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from functions import rates
from functions.errors import RequestTooLargeError
from functions.web import runtime
from functions.web.admission import Caller
from functions.web.leases import Rated

# What must be left before a request begins; only its end shows what it has used.
_FIRST = 1


@contextmanager
def charged(caller: Rated | None) -> Iterator[None]:
    """Charge the caller with what the request inside the block uses; None: nobody.

    Raises RateExceededError, before it begins, for a caller who has nothing left.
    """
    if caller is None:
        yield
        return
    runtime.leases().need(caller, _FIRST)
    try:
        yield
    finally:
        settle(caller)


def settle(caller: Rated) -> None:
    """Charge the caller with what was used, whether anything is left or not."""
    runtime.leases().spend(caller, runtime.table().usage.paid)


@contextmanager
def shared(callers: Collection[Rated]) -> Iterator[bool]:
    """Charge these callers with what is used inside the block, in equal shares, but for those who owe too much already.

    Yields whether anybody is left to pay: if not, the block must use nothing.
    """
    leases, usage = runtime.leases(), runtime.table().usage
    payers, before = [each for each in callers if not leases.owes(each)], usage.paid
    try:
        yield bool(payers)
    finally:
        for each in payers:
            leases.spend(each, (usage.paid - before) / len(payers))


def reserve(caller: Caller, field: str, units: int) -> None:
    """Called before the list of this name in a request's body is stored, with the write units that this may take.

    Raises RequestTooLargeError if that is more than any request may take, and RateExceededError if it is too soon.
    """
    most = int(runtime.limits().request_units)
    if units > most:
        raise RequestTooLargeError(field, units, most)
    runtime.leases().need(rated(caller), units)


def take(caller: Caller, field: str, units: int) -> None:
    """The same for units that the request takes elsewhere, or makes others take: it is charged with them, too."""
    reserve(caller, field, units)
    runtime.table().usage.caused += units


def rated(caller: Caller) -> Rated:
    """The caller with the rate of the highest of the caller's groups."""
    return Rated(caller.sub, rates.of_groups(rates.of_text(runtime.limits().rates), caller.groups))
