"""Mutants of what a record says: both images, each once, in order, and the extremes of what is left."""

from dataclasses import replace

from edgewise.aggregates.recounts import reading
from edgewise.stream import changes, compare_and_set
from functions.systems.chat import entity as chat
from tests.delivery.mutants.changes import Edit, Other
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import CHAT
from tests.delivery.simulated import MAPPING, SimulatedMemory
from tests.delivery.world import World

RECORDS = (
    Mutant("the old image is ignored", CHAT, Edit(changes.effects, 'change.get("OldImage")', "None")),
    Mutant(
        "what expires is taken away",
        replace(CHAT, happenings=(World.store, World.expire, World.deliver)),
        Edit(changes._is_expiry, '== "REMOVE"', '== ""'),
    ),
    Mutant(
        "the filter sees new images only",
        CHAT,
        Other(SimulatedMemory, "mapping", replace(MAPPING, filters=MAPPING.filters[:1])),
    ),
    Mutant(
        "a batch is taken in reverse",
        CHAT.under(repeated=0.3),
        Edit(changes.changes, "in records", "in reversed(records)"),
    ),
    Mutant(
        "distinct users are counted by message",
        CHAT,
        Edit(chat.of_room, '"Users": Observation()', '"Users": Observation(edge.count)'),
    ),
    Mutant(
        "extremes are never recounted", CHAT, Edit(compare_and_set.with_extremes, "if not absorbed.stale", "if True")
    ),
    Mutant(
        "a recount is eventually consistent",
        replace(CHAT, lags=True),
        Edit(reading._resumed, "consistent=True", "consistent=False"),
    ),
)
