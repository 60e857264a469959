"""The results of a walk: the state of the reached nodes, and the likely next neighbours."""

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, NamedTuple, TypeVar

from edgewise.aggregates.measures import EXACT
from functions.systems.graph.entity import NodeId
from functions.systems.walks.entity import Walk

About = TypeVar("About", bound=Hashable)
# A node by its name, or by its number in a graph that is in memory as a whole.
Named = TypeVar("Named", NodeId, int)


class Totals(NamedTuple):
    """How many edges, and the exact sum of their weights."""

    edges: int = 0
    weight: Decimal = Decimal(0)


@dataclass(frozen=True)
class Reach:
    """How many nodes a walk reached, without its start nodes: all, by type, by distance."""

    nodes: int
    by_type: Mapping[str, int]
    by_depth: Mapping[int, int]


class Candidate(NamedTuple, Generic[Named]):
    """A node that is no neighbour yet: the Adamic-Adar score, and the number of common neighbours."""

    node: Named
    score: float
    common: int


def reach(walk: Walk) -> Reach:
    """The state of the reached nodes."""
    away = {node: reached.depth for node, reached in walk.reached.items() if reached.depth}
    return Reach(len(away), Counter(node.type for node in away), Counter(away.values()))


def by_label(walk: Walk) -> Mapping[str, Totals]:
    """The edges that a walk read, each once: those of all nodes that it expanded."""
    return summed((label, Totals(1, weight)) for (_, label, _), weight in walk.edges.items())


def summed(tallies: Iterable[tuple[About, Totals]]) -> Mapping[About, Totals]:
    """The sum of the tallies of each subject."""
    sums: dict[About, Totals] = {}
    for about, totals in tallies:
        edges, weight = sums.get(about, Totals())
        sums[about] = Totals(edges + totals.edges, EXACT.add(weight, totals.weight))
    return sums


def adamic_adar(
    start: Named,
    acquainted: Collection[Named],
    circles: Mapping[Named, Collection[Named]],
    degrees: Mapping[Named, int],
) -> list[Candidate[Named]]:
    """The candidates of `start`, best first: the sum of 1/log(degree) over the common neighbours.

    `acquainted` are all neighbours of `start`, `circles` the neighbours of the expanded ones among them. A common
    neighbour counts as having at least two neighbours, even if its degree lags behind, so the logarithm is never 0.
    """
    shares: dict[Named, list[float]] = {}
    for between, neighbours in circles.items():
        share = 1 / math.log(max(degrees[between], 2))
        for candidate in set(neighbours).difference(acquainted, (start,)):
            shares.setdefault(candidate, []).append(share)
    candidates = [Candidate(node, math.fsum(parts), len(parts)) for node, parts in shares.items()]
    return sorted(candidates, key=lambda each: (-each.score, each.node))
