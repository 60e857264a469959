"""Dangling edges: stored while one of their ends was being deleted, too late for the deletion to find them.

A request that stores an edge reads both ends, then writes. If an end is marked in between, it is swept, and the write
may follow the sweep (functions.systems.graph.cleanup). So the cascade reads the ends of every new edge once more; a
changed edge was there before, so every deletion finds it. If both exist, any future deletion comes after the edge, and
finds it. If one does not exist, the cascade removes the edge, in a transaction that succeeds only while that end is
missing: an end that was created again keeps its edges until it is deleted itself.
"""

from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import replace

from edgewise import Check, Condition, Delete, Table, TransactionRefusedError, decoded
from functions.systems.graph import codec, keys
from functions.systems.graph.entity import GraphEdge, Node, NodeId

# The node is missing, or marked; either state may turn into the other at any time.
_GONE = Condition(present=("PK",), absent=("Deleting",), negated=True)


def living(table: Table, nodes: Iterable[NodeId], tellers: Collection[NodeId] = ()) -> dict[NodeId, Node]:
    """Those of the nodes that exist and are not being deleted; strongly consistent, 100 per request, each node once.

    `tellers` are nodes, too, whose states are wanted: those that are derived are read with them.
    """
    deriving = {node: key for node in tellers if (key := keys.deriving(node))}
    wanted = dict.fromkeys(keys.NODE_ITEM(node) for node in (*nodes, *tellers))
    found = table.get_many([*wanted, *deriving.values()], consistent=True)
    there = [decoded(codec.node, found[key]) for key in wanted if key in found]
    derived = {node: codec.state(found.get(key, {})) for node, key in deriving.items()}
    return {node.id: replace(node, state=derived.get(node.id, node.state)) for node in there if not node.deleting}


def remove(table: Table, edges: Sequence[GraphEdge], there: Container[NodeId]) -> None:
    """Remove the dangling ones among the edges; of their ends, those in `there` are living."""
    missing = {end for edge in edges for end in edge.ends if end not in there}
    dangling = {keys.EDGE(*edge.name): edge for edge in edges if missing & {*edge.ends}}
    # Most of them were swept with their end; only the others are worth a transaction.
    for key in table.get_many(list(dangling), consistent=True):
        for end in missing.intersection(dangling[key].ends):
            try:
                table.transact([Check(keys.NODE_ITEM(end), _GONE), Delete(key), Delete(keys.mirrored(key))])
            except TransactionRefusedError:
                continue  # the end was created again in the meantime: the edge now belongs to it
            break
