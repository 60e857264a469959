"""Mutants of the effects that wait for the end of their window."""

from dataclasses import dataclass, replace
from unittest.mock import patch

from delivery import Reads
from edgewise.stream import again, consumer, invocation
from edgewise.stream.again import Until
from tests.delivery.consuming import Consume
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import READINGS, REDRIVEN, RESIDENTS, Trial
from tests.delivery.simulated import SimulatedMemory

FEW, MANY = 2, 4


class Sparse(SimulatedMemory):
    """A table in whose stream there may be many empty pages before a record."""

    def start_recording(self, shards: int) -> None:
        super().start_recording(shards)
        self.reads = Reads(self.stream, empty=(0, MANY, 1))


class Quiet(SimulatedMemory):
    """A table with so many shards that nothing else is written to most of them, also not by the consumer."""

    def start_recording(self, shards: int) -> None:
        super().start_recording(8 * shards)


@dataclass(frozen=True)
class Paged(Trial):
    """More empty pages come in a row than the consumer reads."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        with patch.multiple(again, QUIET_PAGES=FEW, EMPTY_PAGES=MANY):
            return super().is_exact(seed, consume)


LOST = RESIDENTS.under(state_lost=0.3)
PAGED = Paged(LOST.stories, faults=LOST.faults, table=Sparse)

WAITING = (
    Mutant(
        "a record is set aside while others wait",
        replace(READINGS, happenings=REDRIVEN),
        Edit(consumer._ready, "ends = found.unclear or last", "ends = last"),
    ),
    Mutant(
        "what a window keeps is dropped at its end",
        READINGS,
        Edit(consumer._ready, "windows.unpacked(catalog, waiting.packed)", "found.shared"),
    ),
    Mutant(
        "a window that comes again waits for records that lie before the position",
        replace(RESIDENTS, table=Quiet).under(rewound=0.3),
        Edit(consumer._lost, "before <= reached.sequence", "False"),
    ),
    Mutant(
        "a shard begins although the last window of its parent has had no last call",
        RESIDENTS.under(window_lost=0.5, roll_over=0.1),
        Edit(invocation.absorb, "if not (place or has_state(event)):", "if False:"),
    ),
    Mutant(
        "what waited in front of a batch is not read again",
        LOST,
        Edit(consumer._lost, "before <= reached.sequence", "True"),
    ),
    Mutant(
        "many empty pages before a batch are taken for the end",
        PAGED,
        Edit(again.behind, 'raise UnreadError(shard_id, after, f"{EMPTY_PAGES} empty pages came in a row")', "return"),
    ),
    Mutant(
        "a few empty pages before all of a window are taken for its end",
        PAGED,
        Edit(Until.may_end_behind, ">= self.since", ">= EARLIEST"),
    ),
)
