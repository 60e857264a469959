"""The nodes most similar to a node: those with which it shares neighbours, as the route of recommendations scores them.

All edges count, whatever their label and direction. What the walk of a request leaves to its budget has limits here: a
node with more edges than a hub may have is no common neighbour, for it says little about those it connects; and of a
node with more neighbours, those with the fewest edges are asked.
"""

from collections.abc import Sequence
from heapq import nsmallest

from batch.graph.skeleton import Graph
from functions.systems.walks.reach import Candidate, adamic_adar

# The most edges of a common neighbour, and the most common neighbours.
HUB = 1_000
# How many similar nodes are told.
TOLD = 10


def similar(graph: Graph, node: int) -> Sequence[Candidate[int]]:
    """Up to ten nodes, the most similar first; of equal ones the first by name."""
    acquainted = set(graph.around(node)) - {node}
    asked = (other for other in acquainted if graph.edges[other] <= HUB)
    between = nsmallest(HUB, asked, key=lambda other: (graph.edges[other], other))
    circles = {other: graph.around(other) for other in between}
    return adamic_adar(node, acquainted, circles, {other: graph.edges[other] for other in between})[:TOLD]
