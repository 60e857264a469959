"""After any history of hosts, services and businesses, and any delivery to both readers, derived states are right."""

from collections import Counter
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from delivery import Handler, Simulator
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item
from edgewise.stream.follow_ups import FollowUps
from functions.systems.graph import cleanup, codec, dangling, keys, store, telling
from functions.systems.graph.deriving import DerivedState
from functions.systems.graph.entity import GraphEdge, NodeId
from functions.systems.graph.system import ADJACENT
from tests.delivery.cascading import MAPPING, LaggingMemory
from tests.delivery.consuming import Consume, in_steps_of
from tests.delivery.mutants.changes import Edit
from tests.delivery.simulated import MAPPING as CONSUMER

HOSTS, SERVICES, SHOPS = ([NodeId(kind, name) for name in "abc"] for kind in ("host", "service", "business"))
STATES = ("up", "degraded", "down")
EDGES = [(a, "RUNS", b) for a in HOSTS for b in SERVICES] + [(a, "PART_OF", b) for a in SERVICES for b in SHOPS]


class Told(NamedTuple):
    """What neighbours come to, and what is derived of that."""

    states: dict[str, int]
    measures: dict[str, tuple[int, Decimal, Decimal | None, Decimal | None]]
    state: str
    derived: dict[str, Decimal]


class World:
    """A table whose stream is delivered to the consumer and to the cascade."""

    def __init__(self, random: Random, consume: Consume, shards: int = 4) -> None:
        self.random, self.table = random, LaggingMemory(shards)
        self.now = 1_000
        self.readers = [
            self._delivered(consume(self.table), CONSUMER),
            self._delivered(self._follow_up, MAPPING),
        ]
        for node in (*HOSTS, *SERVICES, *SHOPS):
            self.put_node(node)

    def put_node(self, node: NodeId) -> None:
        self.now += 1_000
        store.put_node(self.table, node, [], self.now)

    def happen(self) -> None:
        dice = self.random.random()
        if dice < 0.35:
            host, state = self.random.choice(HOSTS), self.random.choice(STATES)
            if self.there(host):
                store.put_state(self.table, host, state, {"load": Decimal(self.random.randrange(9))})
        elif dice < 0.6:
            edge = GraphEdge(*self.random.choice(EDGES), Decimal(1))
            if all(map(self.there, edge.ends)):
                store.put_edge(self.table, edge)
        elif dice < 0.68:
            store.delete_edge(self.table, *self.random.choice(EDGES))
        elif dice < 0.71:
            cleanup.delete_node(self.table, self.random.choice([*HOSTS, *SERVICES]))
        elif dice < 0.75:
            self.put_node(self.random.choice([*HOSTS, *SERVICES]))
        else:
            self.random.choice(self.readers).step()

    def play(self, number: int) -> None:
        """Let so many things happen, then let all follow; passes and recounts take the smallest steps."""
        with patch.object(telling, "AT_ONCE", 2), patch.object(telling, "STEP", 1), in_steps_of(1):
            for _ in range(number):
                self.happen()
            self.settle()

    def there(self, node: NodeId) -> bool:
        item = self.table.items.get(keys.NODE_ITEM(node))
        return item is not None and "Deleting" not in item

    def settle(self) -> None:
        known = -1
        while known != sum(map(len, (shard.records for shard in self.table.stream.shards))):
            known = sum(map(len, (shard.records for shard in self.table.stream.shards)))
            for reader in self.readers:
                reader.drain()

    def found(self) -> dict[NodeId, Told]:
        """What is stored of services and businesses whose neighbours have states, or that derive one."""
        found = {}
        for item in self.items(ADJACENT.name):
            about = keys.ADJACENT.parse(item["PK"]["S"], item["SK"]["S"])
            cells, state = aggregate(ADJACENT(*about), item).cells, codec.state(item)
            counts = {name[6:]: cell.count for name, cell in cells.items() if name.startswith("State:")}
            sums = {
                name[8:]: (cell.count, cell.total, cell.extremes.low, cell.extremes.high)
                for name, cell in cells.items()
                if name.startswith("Measure:")
            }
            if counts or sums or state.name:
                found[about[0]] = Told(counts, sums, state.name, dict(state.measures))
        return found

    def expected(self) -> dict[NodeId, Told]:
        """The same, counted level by level from the edges and from what is said of the hosts."""
        states = {node.id: node.state for item in self.items("NODE") if not (node := codec.node(item)).deleting}
        known = {of: (states[of].name, dict(states[of].measures)) for of in HOSTS if of in states and states[of].name}
        edges = [codec.edge(item) for item in self.items(codec.EDGE)]
        told: dict[NodeId, Told] = {}
        for label in ("RUNS", "PART_OF"):
            for target in {edge.target for edge in edges if edge.label == label}:
                near = [known[e.source] for e in edges if (e.label, e.target) == (label, target) and e.source in known]
                if near:
                    told[target] = derived(label, near)
                    known[target] = (told[target].state, told[target].derived)
        return told

    def items(self, kind: str) -> list[Item]:
        return [item for item in self.table.items.values() if item["Type"]["S"] == kind]

    def stale(self) -> list[Item]:
        """Mirrors that tell something else than the derived state of a service."""
        right = {of: (told.state, told.derived) for of, told in self.expected().items()}
        mirrors = [item for item in self.items(codec.MIRROR) if "FROM#PART_OF" in item["SK"]["S"]]
        return [
            item
            for item in mirrors
            if (codec.state(item).name, dict(codec.state(item).measures))
            != right.get(codec.edge(item).source, ("", {}))
        ]

    def _follow_up(self, event: dict[str, Any], context: Any) -> None:
        self.table.follow_up(event, context)
        self.table.catch_up()

    def _delivered(self, handler: Handler, mapping: Any) -> Simulator:
        def run(event: dict[str, Any], context: Any) -> Any:
            with patch.object(self.table, "hook", simulator.writes):
                return handler(event, context)

        simulator = Simulator(run, self.table.stream, mapping, self.table.faults, seed=self.random)
        return simulator


def derived(label: str, near: list[tuple[str, dict[str, Decimal]]]) -> Told:
    counts = Counter(state for state, _ in near)
    measures: dict[str, tuple[int, Decimal, Decimal | None, Decimal | None]] = {}
    for name in {name for _, each in near for name in each}:
        values = [each[name] for _, each in near]
        measures[name] = (len(values), Decimal(sum(values)), min(values), max(values))
    if label == "RUNS":
        state = "down" if counts["down"] == len(near) else "degraded" if counts["down"] + counts["degraded"] else "up"
        return Told(dict(counts), measures, state, {"hosts_down": Decimal(counts["down"]), "load": measures["load"][1]})
    state = next((each for each in ("down", "degraded") if counts[each]), "up")
    return Told(dict(counts), measures, state, {"hosts_down": measures["hosts_down"][1]})


@pytest.mark.histories(12)
def test_all_levels_are_right(seed: int, consume: Consume) -> None:
    assert right(Random(seed), consume)


MUTANTS = {
    "a recount hides what else a change entails": Edit(FollowUps._entailed, "in asked]", "in asked[:1]]"),
    "nobody is told of a derived state": Edit(telling.derived, "codec.state(new) != codec.state(old or {})", "False"),
    "a derived state has the version of another": Edit(DerivedState.following, "rule.state(version,", "rule.state(1,"),
    "what is derived is taken from the node": Edit(dangling.living, "derived.get(node.id, node.state)", "node.state"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, consume: Consume) -> None:
    with MUTANTS[name].made():
        assert not all(right(Random(seed), consume) for seed in range(10))


def right(random: Random, consume: Consume) -> bool:
    """Whether all is right twice, at the end of a history and of the one that follows."""
    world = World(random, consume)
    for _ in range(2):
        world.play(60)
        if world.found() != world.expected() or world.stale():
            return False
    return True
