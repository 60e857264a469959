"""Mutants of recounts that go on in steps: what happens meanwhile counts too, and a day is never ahead of its hours."""

from dataclasses import replace

from edgewise.aggregates.recounts import from_others, going_on
from edgewise.aggregates.recounts.progress import Recount
from edgewise.dynamodb.writes import Put
from edgewise.stream import compare_and_set, redrive
from functions.systems.telemetry import sources
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import COME_AND_GO, READINGS, REDRIVEN
from tests.delivery.world import World


def go_on(world: World) -> None:
    """One delivery to the stream's second reader."""
    world.recount()


# So small steps that others come between.
STEPS = replace(READINGS, items_a_step=1, happenings=(*COME_AND_GO, go_on))

RECOUNTS = (
    Mutant(
        "what is removed while a recount is under way is forgotten",
        STEPS,
        Edit(Recount.follows, "joined(removed.get(name, Extremes()), deltas[name].removed)", "Extremes()"),
    ),
    Mutant(
        "what is added while a recount is under way is forgotten",
        STEPS,
        Edit(Recount.follows, "joined(found[name], deltas[name].added)", "found[name]"),
    ),
    Mutant(
        "progress is put without asking for the version",
        STEPS,
        Edit(
            going_on._changed,
            "table.put_version(aggregate_item(after), replaces=current.version)",
            "table.write(Put(aggregate_item(after)))",
            {"Put": Put},
        ),
    ),
    Mutant(
        "a day is written before its hours",
        READINGS,
        Edit(compare_and_set.in_turn, "if about.kind.comes_later", "if not about.kind.comes_later"),
    ),
    Mutant(
        "a redrive writes a day before its hours",
        replace(READINGS, happenings=REDRIVEN),
        Edit(redrive._absorb, "each.kind.comes_later", "not each.kind.comes_later"),
    ),
    Mutant(
        "a day does not wait for hours that are being recounted",
        STEPS,
        Edit(from_others.derived, "if cell in unknown_there", "if False"),
    ),
    Mutant(
        "nobody tells a day when its hours are known",
        STEPS,
        Edit(going_on.go_on_after, "followers(aggregate_id)", "()"),
    ),
    Mutant(
        "a day reads its hours eventually consistent",
        replace(STEPS, lags=True),
        Edit(sources.hours_of_day, "consistent=True", "consistent=False"),
    ),
)
