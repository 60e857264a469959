"""Mutants of the effects that wait for the end of their window."""

from dataclasses import dataclass, replace
from itertools import cycle

from functions.catalog import CATALOG
from functions.stream import consumer, windows
from tests.delivery.consuming import Consume
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import READINGS, REDRIVEN, Trial
from tests.delivery.redeployed import waiting

NOBODY = frozenset[str]()


@dataclass(frozen=True)
class Deployed(Trial):
    """With every second invocation nobody waits."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        releases = cycle((CATALOG.waiting, NOBODY))
        return super().is_exact(seed, waiting(consume, lambda: next(releases)))


WAITING = (
    Mutant(
        "a record is set aside while others wait",
        replace(READINGS, happenings=REDRIVEN),
        Edit(consumer._ready, "if ends or last", "if last"),
    ),
    Mutant(
        "what waited is taken in reverse",
        READINGS.under(repeated=0.3, short_batch=0.5),
        Edit(windows.ended, "in sorted(found)", "in sorted(found, reverse=True)"),
    ),
    Mutant(
        "who waits no longer is written past those that still wait",
        Deployed(READINGS.stories),
        Edit(windows.split, "if not set(state", "if None and set(state"),
    ),
    Mutant(
        "what a window keeps is dropped at its end",
        READINGS,
        Edit(windows.ended, 'state.get("waiting", ())', "()"),
    ),
)
