"""The nodes most similar to a node: those with which it shares neighbours, as the route of recommendations scores them.

All edges count, whatever their label and direction. What the walk of a request leaves to its budget has limits here. A
node with more edges than a hub may have is no common neighbour, for it says little about those it connects. Of the
other neighbours, those that lead to nobody else are passed over. Those with the fewest edges are asked first, since
each edge of theirs says the most, until a limited number of edges is read. A node with at most a thousand neighbours
never comes to that limit.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from batch.graph.skeleton import Graph
from functions.systems.walks.reach import Candidate, adamic_adar

# The most edges of a common neighbour.
HUB = 1_000
# The most edges of all common neighbours together.
READ = HUB * HUB
# How many similar nodes are told.
TOLD = 10


def similar(graph: Graph, node: int) -> Sequence[Candidate[int]]:
    """Up to ten nodes, the most similar first; of equal ones the first by name."""
    shared = Counter(graph.around(node))
    del shared[node]
    circles = {other: graph.around(other) for other in _asked(graph, shared)}
    return adamic_adar(node, set(shared), circles, {other: graph.edges[other] for other in circles})[:TOLD]


def _asked(graph: Graph, shared: Counter[int]) -> Sequence[int]:
    """Which neighbours of a node are asked for theirs; each shares so many edges with the node."""
    telling = sorted(other for other, edges in shared.items() if edges < graph.edges[other] <= HUB)
    telling.sort(key=graph.edges.__getitem__)
    read = accumulate(map(graph.edges.__getitem__, telling))
    return [other for other, edges in zip(telling, read, strict=True) if edges <= READ]
