"""The second and third level of a node: how much is two and three steps away from it, along the edges' direction."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain

from batch.graph.skeleton import Graph

# The most nodes of a level that are counted.
MOST = 1_000


@dataclass(frozen=True)
class Level:
    """The nodes whose shortest way from a node has so many steps, and the sums of all their aggregates.

    Exact, unless `at_least`: then these are just some of the nodes. A level of more than 1,000 nodes says 1,000, and
    the next says 0: which nodes are that far is not known without all nodes that are nearer.
    """

    nodes: int
    at_least: bool
    edges: int
    weight: Decimal


def levels(graph: Graph, start: int) -> tuple[Level, Level]:
    """What is two steps away from a node, and what is three."""
    seen, nearest = {start}, {start}
    told: list[Level] = []
    complete = True
    for _ in range(3):
        nearest, complete = _beyond(graph, nearest, seen) if complete else (set(), False)
        seen |= nearest
        told.append(_level(graph, nearest, complete))
    return told[1], told[2]


def _beyond(graph: Graph, nearest: Iterable[int], seen: set[int]) -> tuple[set[int], bool]:
    """The nodes one step further, and whether these are all: as soon as there are too many, nothing more is read."""
    found: set[int] = set()
    enough = MOST + len(seen)
    for some in chain.from_iterable(graph.out.slices(node, enough) for node in nearest):
        found.update(some)
        if len(found) > enough:
            break
    found -= seen
    return set(sorted(found)[:MOST]), len(found) <= MOST


def _level(graph: Graph, nodes: set[int], complete: bool) -> Level:
    edges = sum(map(graph.edges.__getitem__, nodes))
    return Level(len(nodes), not complete, edges, graph.weights.over(nodes))
