"""Mutants of carriers: each change of a shared aggregate reaches it once, by one way."""

from dataclasses import dataclass, replace

from edgewise.aggregates.carriers.carrying import Carrier
from edgewise.aggregates.carriers.groups import Groups
from edgewise.stream import changes, consumer, dispatch, windows
from edgewise.times import SECOND, Millis
from functions.handlers import edge_aggregator
from tests.delivery.consuming import Consume
from tests.delivery.growing import growing
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import REDRIVEN, RESIDENTS, Trial
from tests.delivery.simulated import SimulatedMemory


@dataclass(frozen=True)
class Growing(Trial):
    """The number of groups grows with nearly every window."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        with growing():
            return super().is_exact(seed, consume)


def _now() -> Millis:
    table = edge_aggregator.table()
    assert isinstance(table, SimulatedMemory)
    return int(table.stream.clock.now * SECOND)


GROWING = Growing(RESIDENTS.stories)

CARRIERS = (
    Mutant(
        "a carrier takes what it has absorbed already",
        RESIDENTS.under(repeated=0.1),
        Edit(Carrier._fresh, "known is None or not known.covers(record[0])", "True"),
    ),
    Mutant(
        "a carrier's checkpoint passes records that are in quarantine",
        replace(RESIDENTS, happenings=REDRIVEN),
        Edit(Carrier._item, "reached, out_of_order)", "reached, frozenset())"),
    ),
    Mutant(
        "a carrier is put over whatever stands there",
        RESIDENTS.under(zombie_beside=0.3, raced=0.3),
        Edit(
            dispatch._put,
            "lane.replace(Replacement(taken.item, item))",
            "lane.table.put_many([taken.item])",
        ),
    ),
    Mutant(
        "what the old image of a carrier says counts, too",
        RESIDENTS,
        Edit(changes.effects, "_sent(catalog, place, new)", "_sent(catalog, place, old or new)"),
    ),
    Mutant(
        "a state that was lost is not noticed",
        RESIDENTS.under(state_lost=0.3),
        Edit(consumer._lost, "if has_state(event)", "if True"),
    ),
    Mutant(
        "the position goes first",
        GROWING.under(state_lost=0.3, killed_before=0.3),
        Edit(dispatch.dispatch, "sorted(by_carrier, reverse=True)", "sorted(by_carrier)"),
    ),
    Mutant(
        "the position passes a record that will be set aside",
        replace(RESIDENTS, happenings=REDRIVEN),
        Edit(consumer._last, "not in quarantined", "not in ()"),
    ),
    Mutant(
        "the position passes what carriers have brought and still waits",
        RESIDENTS,
        Edit(consumer._ready, "catalog, waiting.brought)", "catalog, waiting.brought if not ends else ())"),
    ),
    Mutant(
        "what carriers have brought is taken in reverse",
        RESIDENTS.under(rewound=0.3, short_batch=0.5),
        Edit(windows.unpacked, "sorted(found)", "sorted(found, reverse=True)"),
    ),
    Mutant(
        "the group is that of now, not of the record's time",
        GROWING.under(rewound=0.3),
        Edit(Groups.group_of, "<= at", "<= now()", {"now": _now}),
    ),
    Mutant(
        "a step counts from an instant that is past",
        GROWING.under(rewound=0.3),
        Edit(Groups.doubled, "now + LEAD", "last.since + 1"),
    ),
)
