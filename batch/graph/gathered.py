"""The skeleton of a graph from the items of an export, in one process; batch.graph.edges does the same by Spark."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from batch.graph.ends import decoded
from batch.graph.skeleton import Graph, Read, Row, units
from edgewise.dynamodb.attributes import Item
from functions.systems.graph import keys
from functions.systems.graph.entity import GraphEdge, Node, NodeId


class _Gathering:
    def __init__(self) -> None:
        self.weights: defaultdict[NodeId, int] = defaultdict(int)
        self.out: defaultdict[NodeId, list[NodeId]] = defaultdict(list)
        self.back: defaultdict[NodeId, list[NodeId]] = defaultdict(list)
        self.unreadable = 0

    def add(self, found: Node | GraphEdge | None) -> None:
        match found:
            case None:
                self.unreadable += 1
            case GraphEdge(source, _, target, weight):
                self.out[source].append(target)
                self.back[target].append(source)
                for end in found.ends:
                    self.weights[end] += units(weight)
            case Node(name) if not found.deleting:
                self.weights[name] += 0

    def rows(self) -> Iterator[Row]:
        number = {name: at for at, name in enumerate(sorted(self.weights))}
        for name in number:
            out, back = (sorted(number[other] for other in side[name]) for side in (self.out, self.back))
            yield Row(keys.node(name), out, back, self.weights[name])


def gathered(items: Iterable[Item]) -> Read:
    """The graph of these items."""
    gathering, graph = _Gathering(), Graph()
    for found in decoded(items):
        gathering.add(found)
    for row in gathering.rows():
        graph.append(row)
    return Read(graph, gathering.unreadable)
