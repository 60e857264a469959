"""Mutants of the effects that wait for the end of their window."""

from dataclasses import dataclass, replace
from itertools import cycle
from unittest.mock import patch

from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.stream import consumer, windows
from tests.delivery.consuming import Consume
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import READINGS, REDRIVEN, Trial

PATIENT = ConsumerSettings("Memory", "shard", "puts", "DEVICE,REPORTED_FROM,ROLLUP_HOUR,ROLLUP_DAY")
LESS_PATIENT = ConsumerSettings("Memory", "shard", "puts", "ROLLUP_HOUR")


@dataclass(frozen=True)
class Deferred(Trial):
    """Some aggregates are written when a window ends."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        with patch.object(edge_aggregator, "settings", lambda: PATIENT):
            return super().is_exact(seed, consume)


@dataclass(frozen=True)
class Deployed(Trial):
    """Who waits is changed with every invocation."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        releases = cycle((PATIENT, LESS_PATIENT))
        with patch.object(edge_aggregator, "settings", lambda: next(releases)):
            return super().is_exact(seed, consume)


WAIT = Deferred(READINGS.stories)

DEFERRED = (
    Mutant(
        "a record is set aside while others wait",
        replace(WAIT, happenings=REDRIVEN),
        Edit(consumer._ready, "if ends or last", "if last"),
    ),
    Mutant(
        "what waited is taken in reverse",
        WAIT.under(repeated=0.3, short_batch=0.5),
        Edit(windows.ended, "in sorted(found)", "in sorted(found, reverse=True)"),
    ),
    Mutant(
        "who waits no longer is written past those that still wait",
        Deployed(READINGS.stories),
        Edit(windows.split, "if not set(state", "if None and set(state"),
    ),
    Mutant(
        "what a window keeps is dropped at its end",
        WAIT,
        Edit(windows.ended, 'state.get("deferred", ())', "()"),
    ),
)
