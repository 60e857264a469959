"""Mutants of the cascade where it brings states of nodes to the edges of their neighbours."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from random import Random
from unittest.mock import patch

from functions.systems.graph import dangling, mirrors, passes, states, telling
from functions.systems.graph.entity import Node, NodeId
from functions.systems.graph.passes import Pass
from tests.delivery.cascading import LaggingMemory
from tests.delivery.consuming import Consume
from tests.delivery.dangling import (
    DELIVER,
    ENDS,
    FILL,
    HOSTS,
    NEVER,
    SERVICES,
    SUPPLIERS,
    WAKE,
    DeleteEdge,
    DeleteNode,
    Happening,
    PutEdge,
    PutNode,
    PutState,
    World,
)
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import Trial


@dataclass(frozen=True)
class Told(Trial):
    """A graph whose nodes change their states while edges come and go; passes take one edge at a time.

    `most`: of how many edges the stream tells a change, and of how many at once. `fills`: how often a fill goes on.
    """

    most: int = passes.MOST
    fills: int = 0

    def is_exact(self, seed: int, consume: Consume) -> bool:
        random, table = Random(seed), LaggingMemory()
        table.faults = self.faults
        consume(table)  # the clock is that of this table
        world = World(random, table, [*HOSTS, *SERVICES, *SUPPLIERS])
        with (
            patch.object(telling, "AT_ONCE", min(2, self.most)),
            patch.object(telling, "STEP", 1),
            patch.object(passes, "MOST", self.most),
        ):
            world.live_through([_happening(random, self.fills) for _ in range(50)])
        return not (world.stale or world.passes or world.unlike)


def _happening(random: Random, fills: int) -> Happening:
    node, ends = random.choice([*HOSTS, *SUPPLIERS]), random.choice(ENDS)
    state = PutState(node, random.choice(("up", "down")), random.randrange(9))
    edge = PutEdge(*ends, sleeps=random.random() < 0.5)
    rare = random.choice((PutNode(node), DeleteNode(node, NEVER), DeleteEdge(*ends, sleeps=True, dies_at=NEVER)))
    usual = (state, state, state, edge, edge, rare, WAKE, WAKE, DELIVER, DELIVER, DELIVER)
    return random.choice((*usual, *[FILL] * fills))


def _as_shown(table: LaggingMemory, nodes: Iterable[NodeId], tellers: Collection[NodeId]) -> Mapping[NodeId, Node]:
    """The nodes by a read that is eventually consistent."""
    with patch.object(table, "items", table.shown):
        return dangling.living(table, nodes, tellers)


TOLD, LEFT = Told(), Told(most=1, fills=5)
_LAGGING = {"_as_shown": _as_shown}

STATES = (
    Mutant("a new state is not told", TOLD, Edit(telling.changed, "codec.state(old) != codec.state(new)", "False")),
    Mutant("a new edge is not compared", TOLD, Edit(mirrors.finish, "states.fill(", "(lambda *_: None)(")),
    Mutant("any change is taken for a newer copy", TOLD, Edit(states.only_newer, "> codec.state_version(old)", ">= 0")),
    Mutant("a pass is not renewed", TOLD, Edit(telling._begin, "before.renewed(clock.now())", "before")),
    Mutant(
        "a pass ends at the last edge",
        TOLD,
        Edit(Pass.filled, "if self._comes_by(self.until, last)", "if last is None or self._comes_by(self.until, last)"),
    ),
    Mutant("a pass goes along its first page only", TOLD, Edit(telling.go_on, "if following is None", "if True")),
    Mutant(
        "a node is read eventually consistent for few edges",
        TOLD,
        Edit(telling.tell, "dangling.living(", "_as_shown(", _LAGGING),
    ),
    Mutant(
        "a fill ends a pass that began anew",
        LEFT,
        Edit(telling._end, "Delete(found.key, unchanged)", "Delete(found.key)"),
    ),
    Mutant("a pass looks like the one before", LEFT, Edit(telling._ways, "randbits(53)", "1")),
    Mutant("a change on the way does not hold a fill up", LEFT, Edit(Pass.renewed, "version + 1", "version")),
    Mutant(
        "the stream leaves a pass that no fill finds", LEFT, Edit(telling._passes, "if each.left", "if not each.left")
    ),
)
