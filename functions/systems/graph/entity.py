"""A graph: typed nodes that carry attributes, directed edges that carry a label, a weight and data."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple

from edgewise import Fed, Millis, Observation

Direction = Literal["out", "in"]
OUT: Direction = "out"
IN: Direction = "in"
DIRECTIONS = (OUT, IN)

EDGES = "Edges"
# The cells of a node's neighbours begin so: in each state how many, and what they measure.
STATE, MEASURE = "State:", "Measure:"


class NodeId(NamedTuple):
    """The name of a node: its type, and its id within the type."""

    type: str
    id: str

    def __str__(self) -> str:
        return f"{self.type}/{self.id}"


class State(NamedTuple):
    """How a node is: one of the states declared of its type, or none (empty), and its measures by name.

    `version` grows with each change. It is greater than that of any node of the same name before this one.
    """

    version: int = 0
    name: str = ""
    measures: tuple[tuple[str, Decimal], ...] = ()


NO_STATE = State()


@dataclass(frozen=True, slots=True)
class Node:
    """A node. `version` grows with every change; while `deleting`, it is invisible and takes no edges.

    Its version is kept until `forgotten` after it was deleted: a node that is made anew has a greater one. `left`: when
    the stream found that a request had left it edges, if they are still being removed.
    """

    id: NodeId
    version: int
    state: State = NO_STATE
    deleting: bool = False
    forgotten: Millis | None = None
    left: Millis | None = None


class Attribute(NamedTuple):
    """An attribute by which a node is found, such as ("born", ("1971-12-21",)); a place has several parts."""

    name: str
    value: tuple[str, ...]


class Outline(NamedTuple):
    """What a fill of this instant has found of a node, in short: `two` and `three` are how many nodes are so far away.

    Its PageRank, and its component with the number of its nodes. `at_least`: there are more nodes than that.
    """

    at: Millis
    pagerank: Decimal
    component: NodeId
    component_nodes: int
    two: int
    three: int
    at_least: bool


# Source, label and target together name an edge.
EdgeName = tuple[NodeId, str, NodeId]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One directed edge; source, label and target together name it. `data` is the text of a JSON object, or empty.

    `neighbour` is the state of the node at the other end, None if nobody counts it; `outline`: what is known of that
    node by a fill, if one has said so.
    """

    source: NodeId
    label: str
    target: NodeId
    weight: Decimal
    data: str = ""
    neighbour: State | None = None
    outline: Outline | None = None

    @property
    def name(self) -> EdgeName:
        """What names it."""
        return self.source, self.label, self.target

    @property
    def ends(self) -> tuple[NodeId, NodeId]:
        """The source node and the target node."""
        return self.source, self.target

    def other(self, direction: Direction) -> NodeId:
        """The neighbour of the node at which this edge has the given direction."""
        return self.target if direction == "out" else self.source


def of_source(edge: GraphEdge) -> Fed:
    """An edge feeds the numbers of its source."""
    yield (edge.source, "out", edge.label), {EDGES: Observation(amount=edge.weight)}


def of_target(edge: GraphEdge) -> Fed:
    """A mirror feeds the numbers of the edge's target."""
    yield (edge.target, "in", edge.label), {EDGES: Observation(amount=edge.weight)}


def around_source(edge: GraphEdge) -> Fed:
    """An edge feeds what the states of its source's neighbours come to, if it tells that of its target."""
    if edge.neighbour and edge.neighbour.name:
        yield (edge.source, "out", edge.label), _told(edge.neighbour)


def around_target(edge: GraphEdge) -> Fed:
    """A mirror feeds what the states of its target's neighbours come to, if it tells that of its source."""
    if edge.neighbour and edge.neighbour.name:
        yield (edge.target, "in", edge.label), _told(edge.neighbour)


def _told(neighbour: State) -> Mapping[str, Observation]:
    measures = {MEASURE + name: Observation(value=value) for name, value in neighbour.measures}
    return {STATE + neighbour.name: Observation(), **measures}
