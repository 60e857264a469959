"""A graph, the deletion of its nodes, and the delivery of its stream to the cascade."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import count, product
from random import Random
from typing import Any
from unittest.mock import patch

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.writes import Delete
from edgewise.errors import NotFoundError
from functions.errors import BeingDeletedError
from functions.systems.graph import cleanup as graph_cleanup
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import keys as graph_keys
from functions.systems.graph import store as graph
from functions.systems.graph import telling
from functions.systems.graph.entity import GraphEdge, Node, NodeId, State
from functions.systems.graph.passes import PASSES
from tests.delivery.cascading import LaggingMemory
from tests.support.crashes import dying_at

# A service counts the states of the hosts that run it, and of the suppliers that it needs.
KNOWS, RUNS, NEEDS = "KNOWS", "RUNS", "NEEDS"
NODES = [NodeId("person", name) for name in "abc"]
HOSTS, SERVICES = [NodeId("host", name) for name in "ab"], [NodeId("service", name) for name in "abc"]
SUPPLIERS = [NodeId("supplier", "a")]
ENDS = [*product(HOSTS, SERVICES), *product(SERVICES, SUPPLIERS)]
NEVER = 99


def label(source: NodeId, target: NodeId) -> str:
    """The label of edges between nodes of these types."""
    return {("host", "service"): RUNS, ("service", "supplier"): NEEDS}.get((source.type, target.type), KNOWS)


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
class PutState:
    """A node has a state from now on."""

    node: NodeId
    state: str
    load: int


@dataclass(frozen=True)
class PutEdge:
    """An edge is put; the request may fall asleep between its read and its writes, and between these."""

    source: NodeId
    target: NodeId
    sleeps: bool


@dataclass(frozen=True)
class DeleteEdge:
    """An edge is deleted; the request may fall asleep before each of its writes, and dies at one."""

    source: NodeId
    target: NodeId
    sleeps: bool
    dies_at: int


WAKE, DELIVER, CATCH_UP = "who sleeps longest wakes", "a delivery", "the indexes catch up"
FILL = "a fill goes on"
Happening = PutNode | DeleteNode | PutState | PutEdge | DeleteEdge | str


class World:
    """The table, and the delivery of its stream to the cascade. Indexes show what a finished batch has brought."""

    def __init__(self, random: Random, table: LaggingMemory, nodes: Sequence[NodeId] = NODES) -> None:
        self.table, self.random, self.nodes = table, random, nodes
        self.clock = count(1_000, 1_000)
        self.deletions: Counter[NodeId | tuple[NodeId, ...]] = Counter()
        self.asleep: deque[partial[None]] = deque()
        # Of each edge put: when its ends were found there, by how often they had been deleted before.
        self.put: list[tuple[GraphEdge, list[int]]] = []
        self.filling: Iterator[None] = iter(())
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
            case DeleteEdge(source, target, sleeps, dies_at):
                with patch.object(self.table, "write") as write:
                    graph.delete_edge(self.table, source, label(source, target), target)
                deletes = [partial(self._delete, *call.args) for call in write.call_args_list]
                self._go_on(deque(deletes[:dies_at]), sleeps=sleeps)
            case PutEdge(source, target, sleeps):
                # Some edges say the same each time they are put.
                named, weight = label(source, target), next(self.clock)
                self._put(GraphEdge(source, named, target, Decimal(weight if named == KNOWS else 1)), sleeps)
            case PutState(node, state, load):
                with suppress(NotFoundError):
                    measure = "load" if node.type == "host" else "delay"
                    graph.put_state(self.table, node, state, {measure: Decimal(load)})
            case _:
                steps = {DELIVER: self.simulator.step, CATCH_UP: self.table.catch_up, FILL: self._go_on_filling}
                steps.get(happening, self._wake)()

    def live_through(self, history: list[Happening]) -> None:
        for happening in [*map(PutNode, self.nodes), *history]:
            self.let(happening)
        while self.asleep:
            self._wake()
        self.simulator.drain()
        self.fill()

    def fill(self) -> None:
        """The fill under way ends, and others run: a record that comes again may have left one more thing to them."""
        list(self.filling)
        for _ in range(3):
            self.table.catch_up()
            list(telling.take_over(self.table, self.nodes))
            self.simulator.drain()

    @property
    def half_deleted(self) -> set[NodeId]:
        """Nodes that are marked and still there."""
        return {node.id for node in self._nodes() if node.deleting and not node.forgotten}

    @property
    def dangling(self) -> set[tuple[NodeId, NodeId]]:
        """Edges that lack an end."""
        there = {node.id for node in self._nodes() if not node.deleting}
        return {ends for ends in self._edges() if not there.issuperset(ends)}

    @property
    def unlike(self) -> list[Item]:
        """Mirrors that are not of an edge as it is, and those that edges lack."""
        mirrors = list(map(graph_codec.without_neighbour, self._found(graph_codec.MIRROR)))
        right = list(map(graph_codec.mirrored, self._found(graph_codec.EDGE)))
        return [each for each in [*mirrors, *right] if each not in mirrors or each not in right]

    @property
    def stale(self) -> list[Item]:
        """Edges and mirrors that tell another state than their neighbour's, or one though they should tell none."""
        edges = [*self._found(graph_codec.EDGE), *self._found(graph_codec.MIRROR)]
        states = {node.id: node.state for node in self._nodes()}
        return [each for each in edges if graph_codec.edge(each).neighbour != self._told(each, states)]

    @property
    def passes(self) -> list[Item]:
        """Passes that are not over."""
        return self._found(PASSES)

    def _told(self, item: Item, states: Mapping[NodeId, State]) -> State | None:
        edge, of_edge = graph_codec.edge(item), item["Type"]["S"] == graph_codec.EDGE
        if edge.label not in (RUNS, NEEDS) or of_edge is (edge.label == RUNS):
            return None
        return states[edge.target if of_edge else edge.source]

    @property
    def missing(self) -> set[tuple[NodeId, NodeId]]:
        """Edges that should be there: none of their ends was deleted since it was found there."""
        return {edge.ends for edge, age in self.put if age == self._age(edge)} - self._edges()

    def _go_on_filling(self) -> None:
        if next(self.filling, self) is self:
            self.filling = telling.take_over(self.table, self.nodes)

    def _wake(self) -> None:
        if self.asleep:
            self.asleep.popleft()()

    def _nodes(self) -> set[Node]:
        return {graph_codec.node(item) for item in self._found("NODE")}

    def _edges(self) -> set[tuple[NodeId, NodeId]]:
        return {graph_codec.edge(item).ends for item in self._found("GRAPH_EDGE")}

    def _found(self, item_type: str) -> list[Item]:
        return [item for item in self.table.all_items() if item["Type"]["S"] == item_type]

    def _age(self, edge: GraphEdge) -> list[int]:
        return [self.deletions[each] for each in (*edge.ends, edge.ends)]

    def _put(self, edge: GraphEdge, sleeps: bool) -> None:
        age = self._age(edge)
        with patch.object(self.table, "put_many") as put_many, suppress(NotFoundError):
            graph.put_edge(self.table, edge)
        if put_many.called:
            items: list[Item] = list(*put_many.call_args.args)
            self.random.shuffle(items)  # a batch has no order
            puts = [partial(self.table.put_many, [item]) for item in items]
            self._go_on(deque([*puts, partial(self.put.append, (edge, age))]), sleeps=sleeps)

    def _delete(self, write: Delete) -> None:
        self.table.write(write)
        source, label, target = graph_keys.parse_edge(*write.key)
        self.deletions[source, target] += write.key == graph_keys.EDGE(source, label, target)

    def _go_on(self, writes: deque[partial[None]], *, sleeps: bool) -> None:
        """One write after the other; a request that sleeps does so before each."""
        while writes and not sleeps:
            writes.popleft()()
        if writes:
            self.asleep.append(partial(self._next, writes))

    def _next(self, writes: deque[partial[None]]) -> None:
        writes.popleft()()
        self._go_on(writes, sleeps=True)

    def _follow_up(self, event: dict[str, Any], context: Any) -> None:
        self.table.follow_up(event, context)
        self.table.catch_up()
