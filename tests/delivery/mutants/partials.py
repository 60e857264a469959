"""Mutants of partial aggregates: a record finds the partial aggregate that it went to before."""

from dataclasses import dataclass
from itertools import count
from random import Random

from functions.aggregates import partial_items
from functions.aggregates.partials import PartialCount, Partials
from functions.handlers import edge_aggregator
from functions.stream.register import Register, replacement
from functions.times import EARLIEST, SECOND, Millis
from tests.delivery.consuming import Consume
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import RESIDENTS, Trial
from tests.delivery.redeployed import deployed
from tests.delivery.simulated import SimulatedMemory

START = 1_535_544_000
STEPS = Partials(
    (PartialCount(EARLIEST, 2), PartialCount((START + 100) * SECOND, 1), PartialCount((START + 300) * SECOND, 3))
)


class SlottedMemory(SimulatedMemory):
    """The number of partial aggregates changes twice."""

    def start_recording(self, shards: int) -> None:
        super().start_recording(shards)
        self.write(replacement(Register(1, partials=STEPS)))


@dataclass(frozen=True)
class Redeployed(Trial):
    """A deployment after the other wants other numbers of partial aggregates."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        with deployed(Random(seed)):
            return super().is_exact(seed, consume)


def _now() -> Millis:
    table = edge_aggregator.table()
    assert isinstance(table, SimulatedMemory)
    return int(table.stream.clock.now * SECOND)


SLOTTED = Trial(RESIDENTS.stories, table=SlottedMemory)
REDEPLOYED = Redeployed(RESIDENTS.stories)
_BY_SHARD = "crc32(shard.encode()) % partials"

PARTIALS = (
    Mutant(
        "partial aggregates take turns",
        SLOTTED.under(rewound=0.3),
        Edit(Partials.partial_of, _BY_SHARD, "next(turns) % partials", {"turns": count()}),
    ),
    Mutant(
        "partial aggregates are those of now, not of the record's time",
        SLOTTED.under(rewound=0.3),
        Edit(Partials.partial_of, "<= at", "<= now()", {"now": _now}),
    ),
    Mutant(
        "a step counts from an instant that is past",
        REDEPLOYED.under(rewound=0.3),
        Edit(Partials.extended, "now + LEAD", "last.since + 1"),
    ),
    Mutant(
        "a setting takes the place of the history",
        REDEPLOYED.under(rewound=0.3),
        Edit(
            Partials.extended,
            "(*self.steps, PartialCount(now + LEAD, wanted))",
            "(PartialCount(self.steps[0].since, wanted),)",
        ),
    ),
    Mutant(
        "a partial aggregate below zero says nothing",
        SLOTTED,
        Edit(partial_items.observations, "cells.items()}", "cells.items() if cell.count > 0}"),
    ),
)
