"""Mutants of quarantine and redrive: a record that was passed over comes in once, however late."""

from contextlib import suppress
from dataclasses import replace
from unittest.mock import patch

from delivery import Fault
from delivery.invocation import Invocation
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint, alive, moved
from edgewise.aggregates.measures import Cell
from edgewise.errors import MalformedRecordError
from edgewise.stream import consumer, redrive
from edgewise.stream import quarantine as quarantining
from edgewise.stream.dispatch import passing
from edgewise.stream.quarantine import Entry, page, quarantine
from functions.catalog import FOLLOW_UPS
from tests.delivery.consuming import READS_ALL
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import AUDITS, COME_AND_GO, READINGS, REDRIVEN, fix_at_leisure, misread
from tests.delivery.world import HOUR, World


def _redrive_slowly(world: World) -> None:
    """A redrive stands still before a write for more than a day, in which others finish it and the world goes on."""

    def meanwhile(_standing: Invocation) -> None:
        with patch.object(world.table, "hook", world.simulator.writes):
            world.settle()
            world.table.stream.clock.advance(37 * HOUR)
            for _ in range(20):
                world.store()
            world.settle()

    world.releases.current = READS_ALL
    stand_still = Invocation(Fault.RACED, 1, meanwhile)
    for quarantined in page(world.table, 1, None)[0]:
        with patch.object(world.table, "hook", stand_still), suppress(MalformedRecordError):
            redrive.redrive(world.table, FOLLOW_UPS, quarantined.shard, quarantined.sequence)


MISSED = replace(READINGS, happenings=REDRIVEN)
# They feed nothing that carriers bring: no redrive puts one for their sake.
LEFT = replace(AUDITS, happenings=(*COME_AND_GO, World.deliver, misread, fix_at_leisure))
DEFERRED = replace(MISSED, happenings=(*REDRIVEN, World.wait))
SLOWLY = replace(MISSED, happenings=(*COME_AND_GO, misread, _redrive_slowly))

QUARANTINE = (
    Mutant(
        "records set aside with a batch are not noted as missing",
        MISSED,
        Edit(consumer._quarantined, "if numbers else quarantined", "if False else quarantined"),
    ),
    Mutant(
        "records set aside before are not noted as missing",
        MISSED,
        Edit(consumer._quarantined, "known.quarantined", "{}"),
    ),
    Mutant(
        "a checkpoint covers what it misses", MISSED, Edit(Checkpoint.covers, " and sequence not in self.missing", "")
    ),
    Mutant(
        "what was in before it was set aside is noted as missing",
        MISSED,
        Edit(moved, " if not (known and known.covers(number))", ""),
    ),
    Mutant(
        "a redrive takes the checkpoint back",
        replace(MISSED.under(rewound=0.3), happenings=(*COME_AND_GO, misread, fix_at_leisure, fix_at_leisure)),
        Edit(moved, "max(known or newest, newest, key=lambda each: each.sequence)", "newest"),
    ),
    Mutant(
        "a record is set aside before the rest of its batch is in",
        MISSED.under(killed_before=0.4),
        Edit(
            consumer._consumed,
            "written = writer.apply(",
            "quarantine(table, shard, *(Entry(e, str(why)) for e, why in found.unclear))\n    written = writer.apply(",
            {"quarantine": quarantine, "Entry": Entry},
        ),
    ),
    Mutant(
        "what a redrive brings becomes an extreme",
        MISSED,
        Edit(Aggregate._doubted, "extremes_in(self._countable(effect, repaired) for effect in late)", "set[str]()"),
    ),
    Mutant(
        "a sum without a count is dropped",
        MISSED,
        Edit(vars(Cell)["counts"].fget, "self.count or self.total", "self.count"),
    ),
    Mutant(
        "checkpoints are dropped although a record is quarantined",
        DEFERRED,
        Edit(alive, "is_kept(shard, quarantined) or ", ""),
    ),
    Mutant(
        "the position stays where it is when a record leaves quarantine",
        LEFT,
        Edit(quarantining.release, "passing(table, shard, place, known.quarantined) if place else []", "[]"),
    ),
    Mutant(
        "a batch that comes again is set aside though it has left quarantine",
        LEFT.under(rewound=0.4),
        Edit(quarantining._Stored.is_passed, "reached.covers(place)", "False"),
    ),
    Mutant(
        "the position misses nothing that is still in quarantine when it passes",
        MISSED,
        Edit(passing, "now(), quarantined)", "now(), {})"),
    ),
    Mutant(
        "a redrive writes although its record is released",
        SLOWLY,
        Edit(redrive._while_quarantined, ", Check(first_part, Condition.PRESENT)", ""),
    ),
)
