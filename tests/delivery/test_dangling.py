"""After any history of a graph and any delivery to the cascade no edge dangles, and none is missing."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.domain.errors import BeingDeletedError, NotFoundError
from functions.domain.graph import GraphEdge, NodeId
from functions.store import codec, graph, graph_cleanup
from functions.store.attributes import Item
from tests.delivery.cascading import LaggingMemory
from tests.support.crashes import dying_at

NODES = [NodeId("person", name) for name in "abc"]
NEVER = 99


@dataclass(frozen=True)
class PutNode:
    """A node is made, or made anew."""

    node: NodeId


@dataclass(frozen=True)
class DeleteNode:
    """A node is deleted; the request dies at a write: the mark is the first."""

    node: NodeId
    dies_at: int


@dataclass(frozen=True)
class PutEdge:
    """An edge is put; the request may fall asleep between its read and its write."""

    source: NodeId
    target: NodeId
    sleeps: bool


WAKE, DELIVER, CATCH_UP = "who sleeps longest wakes", "a delivery", "the indexes catch up"
Happening = PutNode | DeleteNode | PutEdge | str

nodes = st.sampled_from(NODES)
edges = st.builds(PutEdge, nodes, nodes, st.sampled_from((True, True, False)))
happenings = st.lists(
    st.one_of(
        edges,
        edges,
        st.builds(DeleteNode, nodes, st.sampled_from((NEVER, NEVER, 2, 1, 0))),
        st.one_of(st.builds(PutNode, nodes), st.just(CATCH_UP)),
        st.sampled_from((WAKE, DELIVER, DELIVER)),
    ),
    min_size=10,
    max_size=20,
)


class World:
    """The table, and the delivery of its stream to the cascade. Indexes show what a finished batch has brought."""

    def __init__(self, random: Random) -> None:
        self.table = LaggingMemory()
        self.clock = count(1_000, 1_000)
        self.deletions: Counter[NodeId] = Counter()
        self.asleep: deque[Callable[[], None]] = deque()
        # Of each edge put: when its ends were found there, by how often they had been deleted before.
        self.put: list[tuple[GraphEdge, list[int]]] = []
        self.simulator = self.table.delivered_to(self._follow_up, random)

    def let(self, happening: Happening) -> None:
        match happening:
            case PutNode(node):
                with suppress(BeingDeletedError):
                    graph.put_node(self.table, node, [], next(self.clock))
            case DeleteNode(node, dies_at):
                self.deletions[node] += 1
                with dying_at(self.table, dies_at):
                    graph_cleanup.delete_node(self.table, node)
            case PutEdge(source, target, sleeps):
                self._put(GraphEdge(source, "KNOWS", target, Decimal(next(self.clock))), sleeps)
            case "a delivery":
                self.simulator.step()
            case "the indexes catch up":
                self.table.catch_up()
            case _:
                if self.asleep:
                    self.asleep.popleft()()

    def live_through(self, history: list[Happening]) -> None:
        for happening in [*map(PutNode, NODES), *history]:
            self.let(happening)
        while self.asleep:
            self.let(WAKE)
        self.simulator.drain()

    def found(self, item_type: str) -> list[Item]:
        return [item for item in self.table.all_items() if item["Type"]["S"] == item_type]

    def age(self, edge: GraphEdge) -> list[int]:
        return [self.deletions[end] for end in edge.ends]

    def _put(self, edge: GraphEdge, sleeps: bool) -> None:
        age = self.age(edge)
        with patch.object(self.table, "write") as write, suppress(NotFoundError):
            graph.put_edge(self.table, edge)
        if write.called:
            self.asleep.append(lambda: self._written(edge, age, *write.call_args.args))
            if not sleeps:
                self.asleep.pop()()

    def _written(self, edge: GraphEdge, age: list[int], write: Any) -> None:
        self.table.write(write)
        self.put.append((edge, age))

    def _follow_up(self, event: dict[str, Any], context: Any) -> None:
        self.table.follow_up(event, context)
        self.table.catch_up()


@pytest.fixture(autouse=True, scope="module")
def small_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(graph_cleanup, "_PER_STEP", 2)
        yield


@given(histories=st.lists(happenings, min_size=4, max_size=4), random=st.randoms(use_true_random=False))
def test_no_edge_dangles_and_none_is_missing(histories: list[list[Happening]], random: Random) -> None:
    world = World(random)
    for history in histories:
        world.live_through(history)
        there = {codec.graph.node(item) for item in world.found("NODE")}
        left = {codec.graph.edge(item).ends for item in world.found("GRAPH_EDGE")}
        assert not any(node.deleting for node in there)
        assert {end for ends in left for end in ends} <= {node.id for node in there}
        # An edge is safe if none of its ends was deleted since it was found there.
        assert left >= {edge.ends for edge, age in world.put if age == world.age(edge)}
