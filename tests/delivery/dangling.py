"""A graph, the deletion of its nodes, and the delivery of its stream to the cascade."""

from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

from edgewise.dynamodb.attributes import Item
from edgewise.errors import NotFoundError
from functions.errors import BeingDeletedError
from functions.systems.graph import cleanup as graph_cleanup
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import store as graph
from functions.systems.graph.entity import GraphEdge, Node, NodeId
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


class World:
    """The table, and the delivery of its stream to the cascade. Indexes show what a finished batch has brought."""

    def __init__(self, random: Random, table: LaggingMemory) -> None:
        self.table = table
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

    @property
    def half_deleted(self) -> set[NodeId]:
        """Nodes that are marked and still there."""
        return {node.id for node in self._nodes() if node.deleting}

    @property
    def dangling(self) -> set[tuple[NodeId, NodeId]]:
        """Edges that lack an end."""
        there = {node.id for node in self._nodes()}
        return {ends for ends in self._edges() if not there.issuperset(ends)}

    @property
    def missing(self) -> set[tuple[NodeId, NodeId]]:
        """Edges that should be there: none of their ends was deleted since it was found there."""
        return {edge.ends for edge, age in self.put if age == self._age(edge)} - self._edges()

    def _nodes(self) -> set[Node]:
        return {graph_codec.node(item) for item in self._found("NODE")}

    def _edges(self) -> set[tuple[NodeId, NodeId]]:
        return {graph_codec.edge(item).ends for item in self._found("GRAPH_EDGE")}

    def _found(self, item_type: str) -> list[Item]:
        return [item for item in self.table.all_items() if item["Type"]["S"] == item_type]

    def _age(self, edge: GraphEdge) -> list[int]:
        return [self.deletions[end] for end in edge.ends]

    def _put(self, edge: GraphEdge, sleeps: bool) -> None:
        age = self._age(edge)
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
