"""Mutants of slots: a record finds the slot that it went to before."""

from dataclasses import dataclass, replace
from itertools import count
from unittest.mock import patch

from functions.domain.catalog import delivered_types
from functions.domain.slots import Slots, Step
from functions.domain.times import EARLIEST, SECOND, Millis
from functions.handlers import edge_aggregator
from functions.store import slots
from tests.delivery.consuming import Consume
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import RESIDENTS, Trial
from tests.delivery.simulated import MAPPING, SimulatedMemory

START = 1_535_544_000
STEPS = Slots((Step(EARLIEST, 2), Step((START + 100) * SECOND, 1), Step((START + 300) * SECOND, 3)))
WANTED = {"Type": {"S": sorted(delivered_types(STEPS))}}


class SlottedMemory(SimulatedMemory):
    """What slots change is delivered too."""

    mapping = replace(MAPPING, filters=[{"dynamodb": {image: WANTED}} for image in ("NewImage", "OldImage")])


@dataclass(frozen=True)
class Slotted(Trial):
    """While the number of slots changes twice."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        with patch.object(edge_aggregator, "slots", lambda: STEPS):
            return super().is_exact(seed, consume)


def _now() -> Millis:
    table = edge_aggregator.table()
    assert isinstance(table, SimulatedMemory)
    return int(table.stream.clock.now * SECOND)


SLOTTED = Slotted(RESIDENTS.stories, table=SlottedMemory)
_BY_LANE = "crc32(lane.encode()) % slots"

SLOTS = (
    Mutant(
        "slots take turns",
        SLOTTED.under(repeated=0.3),
        Edit(Slots.slot_of, _BY_LANE, "next(turns) % slots", {"turns": count()}),
    ),
    Mutant(
        "slots are those of now, not of the record's time",
        SLOTTED.under(rewound=0.3),
        Edit(Slots.slot_of, "<= at", "<= now()", {"now": _now}),
    ),
    Mutant(
        "a slot below zero says nothing",
        SLOTTED,
        Edit(slots.contributions, "cells.items()}", "cells.items() if cell.count > 0}"),
    ),
)
