"""Connected components: which nodes hang together, whichever way the edges point."""

from array import array

from batch.graph.skeleton import Graph


def components(graph: Graph) -> "array[int]":
    """For each node the first node of its component; what two components have in common is found by union-find."""
    first = array("i", graph.nodes)
    for node in graph.nodes:
        for other in graph.out[node]:
            one, two = _first(first, node), _first(first, other)
            first[max(one, two)] = min(one, two)
    return array("i", (_first(first, node) for node in graph.nodes))


def _first(first: "array[int]", node: int) -> int:
    while (before := first[node]) != node:
        # Halves the way for whoever asks next.
        first[node] = node = first[before]
    return node
