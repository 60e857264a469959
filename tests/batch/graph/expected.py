"""What networkx says of a graph, or what is plainly counted on it."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from decimal import Decimal, localcontext

import networkx as nx
from networkx.algorithms.link_analysis import pagerank_alg

from functions.systems.graph.entity import NodeId
from tests.batch.graph.graphs import Known

# Nodes, whether these are at least so many, and the sums of their aggregates: None where they are of some only.
Level = tuple[int, bool, int | None, Decimal | None]


def ranks(of: Known) -> Mapping[NodeId, float]:
    """networkx's PageRank, with parallel edges as weights; the version that needs no other package."""
    collapsed: nx.DiGraph[NodeId] = nx.DiGraph()
    collapsed.add_nodes_from(of.expected)
    for (one, other), count in Counter((edge.source, edge.target) for edge in of.edges).items():
        collapsed.add_edge(one, other, weight=count)
    found: Mapping[NodeId, float] = pagerank_alg._pagerank_python(  # type: ignore[attr-defined]
        collapsed, tol=1e-14, max_iter=1_000
    )
    return found


def components(of: Known) -> Mapping[NodeId, tuple[NodeId, int]]:
    """The first node of each node's component, and the number of its nodes."""
    found = nx.weakly_connected_components(of.expected)
    return {node: (min(component), len(component)) for component in found for node in component}


def levels(of: Known, node: NodeId, most: int) -> tuple[Level, Level]:
    """Two steps and three steps away; a level of too many nodes hides all behind it."""
    distances = nx.single_source_shortest_path_length(of.expected, node, cutoff=3)
    told: list[Level] = []
    hidden = False
    for steps in (1, 2, 3):
        there = {other for other, away in distances.items() if away == steps}
        if hidden:
            told.append((0, True, 0, Decimal(0)))
        elif len(there) > most:
            told.append((most, True, None, None))
            hidden = True
        else:
            told.append((len(there), False, *_sums(of, there)))
    return told[1], told[2]


def _sums(of: Known, there: set[NodeId]) -> tuple[int, Decimal]:
    weights = [edge.weight for edge in of.edges for end in edge.ends if end in there]
    with localcontext() as context:
        context.prec = 200
        return len(weights), sum(weights, Decimal(0))


def similar(of: Known, node: NodeId, hub: int, read: int) -> list[tuple[NodeId, float, int]]:
    """The ten best by Adamic-Adar; a degree counts all edges. No more are read, those of the least degree first."""
    plain: nx.Graph[NodeId] = nx.Graph(of.expected)
    plain.remove_edges_from(list(nx.selfloop_edges(plain)))
    scores: dict[NodeId, list[float]] = defaultdict(list)
    for degree, between in sorted((of.expected.degree(between), between) for between in plain[node]):
        shared = of.expected.number_of_edges(node, between) + of.expected.number_of_edges(between, node)
        read -= degree if degree > shared else 0
        if degree > hub or read < 0:
            break
        for other in set(plain[between]) - set(plain[node]) - {node}:
            scores[other].append(1 / math.log(max(degree, 2)))
    best = sorted(scores, key=lambda other: (-math.fsum(scores[other]), other))[:10]
    return [(other, math.fsum(scores[other]), len(scores[other])) for other in best]
