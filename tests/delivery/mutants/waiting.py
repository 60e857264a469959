"""Mutants of the effects that wait for the end of their window."""

from dataclasses import replace

from edgewise.stream import consumer
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import READINGS, REDRIVEN

WAITING = (
    Mutant(
        "a record is set aside while others wait",
        replace(READINGS, happenings=REDRIVEN),
        Edit(consumer._ready, "ends = found.unclear or last", "ends = last"),
    ),
    Mutant(
        "what a window keeps is dropped at its end",
        READINGS,
        Edit(consumer._ready, "waiting.shared(catalog)", "found.shared"),
    ),
)
