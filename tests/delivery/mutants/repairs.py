"""Mutants of repairs by hand, of aggregates that go on in further items."""

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.continuations.items import put_right
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.stored import aggregate_item
from edgewise.stream import verification
from functions.catalog import CATALOG
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import COME_AND_GO, READINGS, Trial
from tests.delivery.simulated import Undisturbed
from tests.delivery.stories import audits
from tests.delivery.world import World


def _repaired(world: World, about: AggregateId) -> bool:
    """Somebody repairs an aggregate, while nothing is stored or delivered; whether anything was wrong."""
    clock = world.table.stream.clock
    clock.advance(60)
    with patch.object(world.table, "hook", Undisturbed()):
        found = verification.repair(world.table, about, lambda: clock.advance(60), lambda: True)
    clock.advance(60)
    return found.wants_repair


def _of_one(repair: Callable[[World, AggregateId], object]) -> Callable[[World], None]:
    """The repair of one of the aggregates whose cells people name."""

    def happen(world: World) -> None:
        found = [item for item in world.table.all_items() if item["Type"]["S"] in CATALOG.kinds]
        named = [about.aggregate for about in map(CATALOG.aggregate_of, found) if about.kind.unbounded]
        if named:
            repair(world, world._random.choice(named))

    return happen


def _drifted_and_repaired(world: World, about: AggregateId) -> None:
    """Before the repair, drift makes the first item what the repair would make of it."""
    found, key = verification.verify(world.table, about, lambda: True), keys.of(about)
    drifted, *_ = put_right(found.items, found.recounted)
    items = world.table.items  # type: ignore[attr-defined]
    before, items[key] = items[key], aggregate_item(drifted)
    if not _repaired(world, about):
        items[key] = before


REPAIRS = (
    Mutant(
        "a repair does not mark an item that seems right",
        Trial((audits.STORY,), (*COME_AND_GO, _of_one(_drifted_and_repaired))),
        Edit(
            verification._write,
            "in sorted(items, key=lambda item: item not in found.items)",
            "in [item for item in items if item not in found.items]",
        ),
    ),
    Mutant(
        "an item forgets the names of records that a repair has counted",
        replace(READINGS, happenings=(*COME_AND_GO, _of_one(_repaired))).under(rewound=0.4, short_batch=0.4),
        Edit(Aggregate._countable, "effect.names_only", "Effect(effect.checkpoint, {}, {})", {"Effect": Effect}),
    ),
)
