"""Mutants of the cascade where it looks for edges that dangle, and for mirrors."""

from dataclasses import dataclass
from random import Random

from edgewise.dynamodb.attributes import Item
from edgewise.stream.follow_ups import FollowUps
from functions.systems.graph import dangling, mirrors
from tests.delivery.cascading import LaggingMemory
from tests.delivery.consuming import Consume
from tests.delivery.dangling import (
    DELIVER,
    NEVER,
    NODES,
    WAKE,
    DeleteEdge,
    DeleteNode,
    Happening,
    PutEdge,
    PutNode,
    World,
)
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import Trial


class Prompt(LaggingMemory):
    """A table whose indexes, and reads that are eventually consistent, show what it holds."""

    def _record(self, old: Item | None, new: Item | None, expired: bool = False) -> None:
        super()._record(old, new, expired)
        self.catch_up()


@dataclass(frozen=True)
class Linked(Trial):
    """A graph whose nodes and edges come and go; if it lags, reads show the time before the last batch."""

    def is_exact(self, seed: int, consume: Consume) -> bool:
        random, table = Random(seed), LaggingMemory() if self.lags else Prompt()
        table.faults = self.faults
        consume(table)  # the clock is that of this table
        world = World(random, table)
        world.live_through([_happening(random) for _ in range(20)])
        return not (world.dangling or world.missing or world.half_deleted or world.unlike)


def _happening(random: Random) -> Happening:
    node, other = random.choice(NODES), random.choice(NODES)
    return random.choice(
        (
            PutNode(node),
            DeleteNode(node, NEVER),
            PutEdge(node, other, sleeps=True),
            PutEdge(node, other, sleeps=False),
            DeleteEdge(node, other, sleeps=True, dies_at=NEVER),
            DeleteEdge(node, other, sleeps=False, dies_at=1),
            WAKE,
            DELIVER,
        )
    )


LINKED = Linked(lags=True)
_READ = "consistent=True"

DANGLING = (
    Mutant(
        "whether a new edge's ends are there is read eventually consistent",
        LINKED,
        Edit(dangling.living, _READ, "consistent=False"),
    ),
    Mutant(
        "whether a dangling edge is there is read eventually consistent",
        LINKED,
        Edit(dangling.remove, _READ, "consistent=False"),
    ),
    Mutant(
        "nobody looks at the mirror of an edge that goes",
        LINKED,
        Edit(FollowUps._gone, "if gone else []", "if False else []"),
    ),
    Mutant(
        "nobody looks at the edge of a mirror that was written late",
        LINKED,
        Edit(mirrors.finish, "in seen}", "in seen if 'EDGE#' in key.sk}"),
    ),
    Mutant(
        "nobody looks at the mirror of a changed edge",
        LINKED,
        Edit(mirrors.finish, "in seen}", "in seen if 'FROM#' in key.sk}"),
    ),
    Mutant(
        "an edge is looked for eventually consistent",
        LINKED,
        Edit(mirrors.make_equal, _READ, "consistent=False"),
    ),
)
