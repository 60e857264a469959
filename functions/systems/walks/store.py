"""Walks on the table: traversals, subtrees, recommendations. Each first reads its start node."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from edgewise import Table
from edgewise.dynamodb.table import CONNECTIONS
from functions.systems.graph import store as graph
from functions.systems.graph.entity import NodeId
from functions.systems.walks.entity import Budget, Walk, Way
from functions.systems.walks.reach import Candidate, Totals, adamic_adar, summed
from functions.systems.walks.waves import About, Waves


@dataclass(frozen=True)
class Rollup:
    """The nodes below a node: the walk that found them, and the sums of their aggregates by direction and label."""

    walk: Walk
    sums: Mapping[About, Totals]


@dataclass(frozen=True)
class Recommendation:
    """Candidates, best first; if the budget was exhausted, at which distance, and the unfinished nodes.

    `acquainted` are the known neighbours, and the node itself.
    """

    candidates: Sequence[Candidate[NodeId]]
    depth: int
    unexpanded: Sequence[NodeId]
    acquainted: Collection[NodeId]


def traverse(table: Table, start: NodeId, ways: Sequence[Way], depth: int, budget: Budget) -> Walk:
    """All nodes up to `depth` steps away; raises NotFoundError."""
    walk = Walk([start], ways, depth, budget)
    with _begun(table, start, budget) as waves:
        waves.finish(walk)
    return walk


def subtree(table: Table, start: NodeId, label: str, rolled_up: Sequence[str], budget: Budget) -> Rollup:
    """All nodes below a node, and the sums of their aggregates for some labels; raises NotFoundError.

    The aggregates also show, for many nodes per request, which have no nodes below them: only the others are queried.
    """
    below: About = ("out", label)
    about = dict.fromkeys([below, *(each for name in rolled_up for each in _both_ways(name))])
    walk = Walk([start], [Way(*below)], None, budget)
    found: dict[NodeId, Mapping[About, Totals]] = {}
    with _begun(table, start, budget) as waves:
        while level := walk.descend():
            known = waves.degrees(level, list(about))
            found.update(known)
            walk.pass_over({node for node, degrees in known.items() if below not in degrees})
            if len(known) == len(level):
                waves.expand(walk)
    found.pop(start, None)
    return Rollup(walk, summed(pair for degrees in found.values() for pair in degrees.items()))


def recommend(table: Table, start: NodeId, ways: Sequence[Way], label: str, budget: Budget) -> Recommendation:
    """The nodes that share neighbours with a node, by edges of a label; raises NotFoundError.

    Neighbours with few edges are the most informative, so their edges are read first. Each phase reserves part of the
    items for the next: a node with many neighbours must not spend all items on finding them. If not all neighbours are
    known, no node is recommended, because it might be a neighbour already.
    """
    with _begun(table, start, budget) as waves:
        budget.keep(4)
        near = Walk([start], ways, 1, budget)
        waves.finish(near)
        if near.unexpanded:
            return Recommendation((), 0, near.unexpanded, near.reached)
        acquainted = [node for node in near.reached if node != start]
        budget.keep(2)
        known = waves.degrees(acquainted, _both_ways(label))
        budget.kept = 0
        degrees = {node: sum(totals.edges for totals in about.values()) for node, about in known.items()}
        far = Walk(sorted(known, key=lambda node: (degrees[node], node)), ways, 1, budget)
        waves.finish(far)
    candidates = adamic_adar(start, acquainted, far.neighbours, degrees)
    return Recommendation(candidates, 1, [*far.unexpanded, *acquainted[len(known) :]], near.reached)


@contextmanager
def _begun(table: Table, start: NodeId, budget: Budget) -> Iterator[Waves]:
    budget.spend(requests=1, items=1)
    graph.require(table, start)
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        yield Waves(table, pool, budget)


def _both_ways(label: str) -> tuple[About, About]:
    return ("out", label), ("in", label)
