"""Mutants of rankings: who is judged, when a ranking is read, how members leave, and when a refill is over."""

from edgewise.aggregates.rankings import judging
from edgewise.aggregates.rankings.floor import Ranking
from edgewise.dynamodb.writes import Put
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import Trial, remove_some
from tests.delivery.stories import ranked
from tests.delivery.world import World


def go_on(world: World) -> None:
    """One delivery to the stream's second reader."""
    world.recount()


def store_some(world: World) -> None:
    """So many sources that many nodes have places."""
    for _ in range(5):
        world.store()


RANKED = Trial(
    (ranked.STORY,), happenings=(store_some, store_some, remove_some, remove_some, World.deliver, World.deliver, go_on)
)

RANKINGS = (
    Mutant(
        "what was up to date already is not judged",
        RANKED.under(killed_before=0.3),
        Edit(judging._as_stored, "*read, ", ""),
    ),
    Mutant(
        "a ranking is put without asking for its version",
        RANKED.under(raced=0.5),
        Edit(
            judging.change,
            "table.put_version(ranking_item(after), replaces=known.version)",
            "table.write(Put(ranking_item(after)))",
            {"Put": Put},
        ),
    ),
    Mutant(
        "a refill says that it is complete before it is",
        RANKED,
        Edit(Ranking.filled, "None if position is None else", "None if True else"),
    ),
    Mutant(
        "nobody new is looked at once more",
        # Another writer judges the same node: an invocation beside its own retry.
        RANKED.under(zombie_beside=0.4, raced=0.4),
        Edit(judging.change, "after.names - known.names", "()"),
    ),
)
