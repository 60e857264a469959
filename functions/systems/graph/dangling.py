"""Edges that dangle: put while one of their ends was being deleted, where its deletion could no longer see them.

Who puts an edge looks at both ends, then writes. An end that is marked in between is swept, and the write may come when
that is over (functions.systems.graph.cleanup). So the stream looks at the ends of every new edge once more. If both are
there, any deletion to come is later than the edge, and finds it. If one is not, the edge goes, by a transaction that
holds only while that end is gone: an end made anew keeps what it has until it is deleted itself.
"""

from collections.abc import Iterable, Sequence

from functions.dynamodb.attributes import Item
from functions.dynamodb.decoding import decoded
from functions.dynamodb.table import Table, TransactionRefusedError
from functions.dynamodb.writes import Check, Condition, Delete
from functions.systems.graph import codec, keys
from functions.systems.graph.entity import GraphEdge, NodeId

# Not there, or marked; each may turn into the other at any time.
_GONE = Condition(present=("PK",), absent=("Deleting",), negated=True)


def gone(table: Table, nodes: Iterable[NodeId]) -> set[NodeId]:
    """Those of the nodes that are not there, or are being deleted; strongly consistent, 100 a request, each once."""
    wanted = {keys.node_item(node): node for node in nodes}
    found = table.get_many(list(wanted), consistent=True)
    there = {decoded(codec.node, item) for item in found.values()}
    return set(wanted.values()) - {node.id for node in there if not node.deleting}


def added(new: Item, old: Item | None) -> GraphEdge | None:
    """The edge that a change added; one that it changed was there for every deletion to see."""
    return None if old else codec.edge(new)


def remove(table: Table, edges: Sequence[GraphEdge]) -> None:
    """Remove those of the edges that dangle."""
    missing = gone(table, (end for edge in edges for end in edge.ends))
    dangling = {keys.edge(edge.source, edge.label, edge.target): edge for edge in edges if missing & {*edge.ends}}
    # Most of them were swept with their end; only what is left is worth a transaction.
    for key in table.get_many(list(dangling), consistent=True):
        for end in missing.intersection(dangling[key].ends):
            try:
                table.transact([Check(keys.node_item(end), _GONE), Delete(key)])
            except TransactionRefusedError:
                continue  # made anew meanwhile: the edge is its own now
            break
