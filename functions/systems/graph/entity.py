"""A graph: typed nodes that carry attributes, directed edges that carry a label, a weight and data."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, NamedTuple

from edgewise import Fed, Observation

Direction = Literal["out", "in"]
OUT: Direction = "out"
IN: Direction = "in"
DIRECTIONS = (OUT, IN)

EDGES = "Edges"


class NodeId(NamedTuple):
    """The name of a node: its type, and its id within the type."""

    type: str
    id: str

    def __str__(self) -> str:
        return f"{self.type}/{self.id}"


@dataclass(frozen=True, slots=True)
class Node:
    """A node's state. `version` grows with every change; while `deleting`, it is invisible and takes no edges."""

    id: NodeId
    version: int
    deleting: bool = False


class Attribute(NamedTuple):
    """An attribute by which a node is found, such as ("born", ("1971-12-21",)); a place has several parts."""

    name: str
    value: tuple[str, ...]


# Source, label and target together name an edge.
EdgeName = tuple[NodeId, str, NodeId]


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One directed edge; source, label and target together name it. `data` is the text of a JSON object, or empty."""

    source: NodeId
    label: str
    target: NodeId
    weight: Decimal
    data: str = ""

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
