"""PageRank: how likely somebody is at a node who follows edges at random, and now and then begins anywhere.

Every edge is as likely as any other that leaves the same node, so parallel edges count each. Weights don't matter here:
labels measure different things, and weights may be negative. Who can't leave a node begins anywhere, as in networkx.
That and the beginnings are the same to all nodes. So the visits can be summed up without them, step by step from one
visit of every node, and are brought to a sum of 1 in the end.
"""

from array import array
from collections.abc import Callable, Sequence
from operator import add, mul

from batch.graph.skeleton import Graph, Lists

# How likely an edge is followed.
DAMPING = 0.85
# How much of all visits may be missing at the end; 99 rounds at most.
TOLERANCE = 1e-7

Numbers = Sequence[float]
# From what each node passes on along each of its edges to what arrives at each node.
Step = Callable[[Numbers], Numbers]


def ranks(graph: Graph, step: Step) -> Numbers:
    """The rank of each node; they add up to 1. All of them together are off by less than 1e-6."""
    passed = array("d", (DAMPING / count if count else 0.0 for count in graph.out.lengths()))
    visits = latest = array("d", [1.0]) * len(graph.nodes)
    # What all further rounds can add is a geometric series.
    while sum(latest) * DAMPING / (1 - DAMPING) > TOLERANCE * sum(visits):
        latest = array("d", step(array("d", map(mul, latest, passed))))
        visits = array("d", map(add, visits, latest))
    whole = sum(visits)
    return array("d", (each / whole for each in visits))


def arriving(back: Lists, nodes: range, sent: Numbers) -> Numbers:
    """What arrives at some nodes, if `sent` is what each node sends along each of its edges."""
    return array("d", (sum(map(sent.__getitem__, back[node])) for node in nodes))
