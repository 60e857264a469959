"""Mutants of open hours: closings, the ways of readings, and what removals do to them."""

from dataclasses import replace

from edgewise import clock
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.open_hours import attributes
from edgewise.aggregates.open_hours.hours import OpenPart
from functions.systems.telemetry import entity
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import READINGS, REDRIVEN
from tests.delivery.world import World


def now() -> int:
    """The time as the program tells it."""
    return clock.now()


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
        Edit(Catalog.taken_back, 'item is None or item["Type"]["S"] in self.senders', "item is None"),
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
