"""What a fill, a run of the batch side, computes of each node as of one instant; all of that is one generation."""

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from edgewise import Millis
from edgewise.times import DAY
from functions.systems.graph.entity import NodeId

# How long after its instant a generation is answered. A fill that comes later finds it gone.
KEPT: Millis = 30 * DAY


class Similar(NamedTuple):
    """A node that shares neighbours with another, by any edges: the Adamic-Adar score, and how many they share."""

    type: str
    id: str
    score: float
    common: int

    @property
    def node(self) -> NodeId:
        """The node."""
        return NodeId(self.type, self.id)


@dataclass(frozen=True, slots=True)
class Level:
    """The nodes so many steps away along the edges, of any label, and the sums of all their edges, out and in.

    `at_least`: there are more such nodes; these are just some of them.
    """

    nodes: int
    at_least: bool
    edges: int
    weight: Decimal


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of a node by looking at the whole graph.

    The PageRanks of all nodes add up to 1. `component` is the first node of the connected component, by type and id.
    `two` and `three` are the levels two and three steps away. `similar` are up to ten nodes, the most similar first.
    """

    node: NodeId
    pagerank: Decimal
    component: NodeId
    component_nodes: int
    two: Level
    three: Level
    similar: tuple[Similar, ...]


@dataclass(frozen=True, slots=True)
class Generation:
    """The summaries of one run, by its name, which sorts as the instant `at` that the run looked at."""

    run: str
    at: Millis

    @property
    def ends(self) -> Millis:
        """When nothing of it is answered any more. From then on DynamoDB removes its items, in any order."""
        return self.at + KEPT


@dataclass(frozen=True, slots=True)
class Progress:
    """How many nodes of a part of a generation are stored, and whether these are all."""

    nodes: int = 0
    whole: bool = False


def highest(summaries: list[Summary], most: int) -> list[Summary]:
    """The summaries with the greatest PageRank, greatest first; of equal ones the first by name."""
    return sorted(summaries, key=lambda each: (-each.pagerank, each.node))[:most]
