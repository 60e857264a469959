"""The graph as Neptune's bulk loader reads it: gzipped CSV, of nodes and of edges, for Gremlin and openCypher.

Each file begins with its header. Load with the sources `nodes/part-` and `edges/part-`: beside them is the empty file
that says that Spark is done. The loader takes a semicolon in a node's type as the end of one of several labels, so the
property `type` has the type too. Neptune has no decimal numbers: `weight` is rounded, `exact` is text.

Source: https://docs.aws.amazon.com/neptune/latest/userguide/bulk-load-tutorial-format-gremlin.html
"""

import csv
import io
from collections.abc import Iterable, Iterator

from batch.graph.ends import decoded
from batch.graph.lines import Whole
from batch.graph.skeleton import Graph
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import join
from functions.systems.graph.entity import GraphEdge, NodeId

# Fields with a character of it are quoted.
_END = "\r\n"
_NODES = ("~id", "~label", "type:String", "id:String", "pagerank:Double", "component:String")
_EDGES = ("~id", "~from", "~to", "~label", "weight:Double", "exact:String", "data:String")


def nodes(graph: Graph, whole: Whole, some: Iterable[int]) -> Iterator[str]:
    """The lines of some nodes, after the header."""
    yield _line(*_NODES)
    for node in some:
        name, component = graph.names[node], graph.names[whole.components[node]]
        yield _line(_id(name), name.type, *name, repr(whole.ranks[node]), _id(component))


def edges(items: Iterable[Item]) -> Iterator[str]:
    """The lines of the edges among some items, after the header; those that can't be read are left out."""
    yield _line(*_EDGES)
    for edge in decoded(items):
        if isinstance(edge, GraphEdge):
            of = join(*edge.source, edge.label, *edge.target)
            exact = format(edge.weight, "f")
            yield _line(of, _id(edge.source), _id(edge.target), edge.label, repr(float(edge.weight)), exact, edge.data)


def _id(node: NodeId) -> str:
    return join(*node)


def _line(*fields: str) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator=_END).writerow(fields)
    return text.getvalue().removesuffix(_END)
