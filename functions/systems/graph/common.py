"""What two nodes have in common: the edges between them, and the neighbours of both."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from edgewise import Item, NotFoundError, Table, decoded, each
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import key_of
from functions.systems.graph import codec, keys, patterns
from functions.systems.graph.entity import Direction, GraphEdge, NodeId

# What is read of each node: so many requests, each for so many edges.
REQUESTS, EDGES = 2, 500


class Tie(NamedTuple):
    """How an edge ties a node to another: its direction, as the node sees it, and its label."""

    direction: Direction
    label: str


Ties = Mapping[NodeId, Sequence[Tie]]


@dataclass(frozen=True)
class Common:
    """The edges between two nodes, as the first sees them; the neighbours of both, with how each is tied to them.

    `complete`: all edges of both were read.
    """

    direct: Sequence[Tie]
    shared: Mapping[NodeId, tuple[Sequence[Tie], Sequence[Tie]]]
    complete: bool


def common(table: Table, one: NodeId, other: NodeId) -> Common:
    """What two nodes have in common, strongly consistent; raises NotFoundError.

    Two requests for nodes with fewer than 500 edges, else four, which may not be all of their edges.
    """
    (ties, whole), (others, also_whole) = _ties(table, one), _ties(table, other)
    shared = {node: (ties[node], others[node]) for node in sorted(ties.keys() & others.keys() - {one, other})}
    return Common(ties.get(other, ()), shared, whole and also_whole)


def _ties(table: Table, of: NodeId) -> tuple[Ties, bool]:
    """How a node is tied to its neighbours, and whether these are all; raises NotFoundError."""
    found, whole = _read(table, of)
    node = found.pop() if found and key_of(found[-1]) == keys.NODE_ITEM(of) else None
    if whole and (node is None or decoded(codec.node, node).deleting):
        raise NotFoundError("node", str(of))
    return _by_neighbour(of, each(table, codec.edge, found)), whole


def _read(table: Table, of: NodeId) -> tuple[list[Item], bool]:
    """The edges and mirrors of a node, as many as are read, then the node itself; whether these are all."""
    read = list(islice(pages.every(table, patterns.neighbourhood(of).part(EDGES)), REQUESTS))
    return [item for page in read for item in page.items], read[-1].next is None


def _by_neighbour(of: NodeId, edges: Iterable[GraphEdge]) -> Ties:
    found: defaultdict[NodeId, list[Tie]] = defaultdict(list)
    for edge in edges:
        if edge.source == of:
            found[edge.target].append(Tie("out", edge.label))
        if edge.target == of:
            found[edge.source].append(Tie("in", edge.label))
    return found
