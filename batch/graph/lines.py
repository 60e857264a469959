"""What the job writes of each node: a line of JSON."""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from batch.graph.reach import Level, levels
from batch.graph.similar import similar
from batch.graph.skeleton import Graph
from edgewise.aggregates.measures import EXACT

# The folder of the lines.
NODES = "nodes"


@dataclass(frozen=True)
class Whole:
    """What is known of each node only by looking at all: its rank, the first node of its component, and that's size."""

    ranks: Sequence[float]
    components: "array[int]"
    sizes: "array[int]"

    @classmethod
    def of(cls, ranks: Sequence[float], components: "array[int]") -> "Whole":
        """The same with the sizes of the components."""
        sizes = Counter(components)
        return cls(ranks, components, array("i", (sizes[first] for first in components)))


def lines(graph: Graph, whole: Whole, nodes: Iterable[int]) -> Iterator[str]:
    """The lines of some nodes."""
    for node in nodes:
        two, three = levels(graph, node)
        told = {
            "node": graph.names[node],
            "pagerank": whole.ranks[node],
            "component": graph.names[whole.components[node]],
            "component_nodes": whole.sizes[node],
            "two": _level(two),
            "three": _level(three),
            "similar": [[*graph.names[other], score, common] for other, score, common in similar(graph, node)],
        }
        yield json.dumps(told, ensure_ascii=False)


def _level(level: Level) -> dict[str, Any]:
    weight = format(level.weight.normalize(EXACT), "f")
    return {"nodes": level.nodes, "at_least": level.at_least, "edges": level.edges, "weight": weight}
