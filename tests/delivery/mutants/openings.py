"""Mutants of open hours: closings, the ways of readings, and what removals do to them."""

from dataclasses import replace

from edgewise import clock
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.open_hours import attributes
from edgewise.aggregates.open_hours.hours import OpenPart
from edgewise.dynamodb.attributes import Item
from edgewise.stream import changes
from functions.systems.telemetry import entity
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import READINGS, REDRIVEN
from tests.delivery.world import World


def now() -> int:
    """The time as the program tells it."""
    return clock.now()


def net(catalog: Catalog, place: Checkpoint, old: Item | None, new: Item | None) -> changes.Effects:
    """What a put closes, less what the one before has closed."""
    came, went = changes._sent(catalog, place, new), changes._sent(catalog, place, old)
    if new and carrying.is_carrier(new):
        return came
    both = {about: [each[about].added if about in each else {} for each in (came, went)] for about in {**came, **went}}
    return {about: Effect(place, added, removed) for about, (added, removed) in both.items()}


STORED = replace(READINGS, happenings=(*[World.store] * 10, *[World.deliver] * 6, *[World.remove] * 3))

OPENINGS = (
    Mutant(
        "a closing that is kept for readers is passed on again",
        STORED,
        Edit(attributes.open_item, "part.closings[-1].number == version", "part.closings"),
        Edit(
            attributes.closing_of,
            'next(_read_closing(each, start, every) for each in _unpacked(item["Closings"]) if each[0] == version)',
            "closings(item, start)[-1]",
        ),
        Edit(attributes.is_of_this_put, "string(item[CLOSING]) == str(version)", "True"),
    ),
    Mutant(
        "a closing is taken back by the next one",
        STORED,
        Edit(changes.effects, "_sent(catalog, place, new)", "net(catalog, place, old, new)", {"net": net}),
    ),
    Mutant("what closes is dropped", STORED, Edit(OpenPart.absorbed, "*_closing(put, closed)", "")),
    Mutant(
        "a removal is subtracted from the open hour",
        STORED,
        Edit(OpenPart.absorbed, "name in late or whole.retracts", "name in late"),
    ),
    Mutant(
        "the way of a reading follows from the time of its delivery",
        STORED.under(rewound=0.4),
        Edit(entity.is_live, "abs(event.at - arrival.at) <= LIVE", "abs(event.at - now()) <= LIVE / 120", {"now": now}),
    ),
    Mutant(
        "nobody else than its device is told of a reading that goes",
        STORED.under(killed_before=0.06, killed_after=0.06, rewound=0.05, short_batch=0.7),
        Edit(Catalog.contributions, "not (taken or arrival.corrects)", "not taken"),
    ),
    Mutant(
        "the extremes of a redriven reading are not in doubt",
        replace(READINGS, happenings=REDRIVEN),
        Edit(OpenPart.absorbed, "_doubted(whole) if name in late else whole", "whole"),
    ),
)
