"""Mutants of aggregates that go on in further items: each name has its place, each item has checkpoints of its own."""

from collections.abc import Sequence
from dataclasses import replace

from edgewise.aggregates import stored
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.continuations import items
from edgewise.aggregates.effects import Effect
from edgewise.stream.compare_and_set import _Attempt
from tests.delivery.consuming import ROOMS, Release
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import COME_AND_GO, READINGS
from tests.delivery.world import World


def make_room(world: World) -> None:
    """A release runs whose items have more room."""
    world.releases.current = Release(room=ROOMS[-1])


def _forgetful(shard: str, item: Aggregate, effects: Sequence[Effect]) -> Aggregate:
    """Full no more if it covers these effects."""
    checkpoint = item.checkpoints.get(shard)
    covered = checkpoint is not None and all(checkpoint.covers(effect.checkpoint.sequence) for effect in effects)
    return replace(item, full=False) if covered else item


_KEPT = "cells if unbounded"

CONTINUATIONS = (
    Mutant(
        "what a full item covers is not passed on",
        READINGS.under(killed_before=0.4),
        Edit(
            _Attempt._absorbed,
            "_Decided(current, None, lacking)",
            "_Decided(forgetful(self.to.shard, current, effects), None, {})",
            {"forgetful": _forgetful},
        ),
    ),
    Mutant(
        "names leave a full item",
        READINGS,
        Edit(Aggregate._counting, _KEPT, "cells if unbounded and not full"),
    ),
    Mutant(
        "names leave an item before it is full",
        READINGS.under(rewound=0.4, short_batch=0.8),
        Edit(Aggregate._counting, _KEPT, "cells if full"),
    ),
    Mutant(
        "the record chooses the continuation, not the name",
        READINGS,
        Edit(
            items._divided,
            "grouped(item.id, names)",
            '{continuation(item.id, f".{effect.checkpoint.sequence}"): names}',
        ),
    ),
    Mutant(
        "that an item is full is forgotten",
        replace(READINGS, happenings=(*COME_AND_GO, make_room)),
        Edit(stored.aggregate, "FULL in item", "False"),
    ),
)
