"""What a change of a node makes the stream do, in units: whoever makes it is charged for that, too.

How many edges a node has is what the stream has counted, a moment ago.
"""

from collections.abc import Iterable

from edgewise import Cell, Item, Key, Table, cells, each
from edgewise.dynamodb.attributes import string
from functions.systems.graph import keys, patterns, states
from functions.systems.graph.entity import EDGES, NodeId
from functions.systems.graph.passes import MOST

# Of an edge that is told a state: the copy, and the numbers of the node that counts it.
TOLD = 2
# Of an edge that is removed: itself and its mirror, in a transaction, and the numbers at its other end.
REMOVED = 5


def told(of: NodeId) -> list[Key]:
    """The numbers of the edges to whose other ends a node tells its state."""
    return [keys.DEGREE(of, direction, label) for direction, label in states.told_along(of)]


def of_telling(table: Table, numbers: Iterable[Item]) -> int:
    """The units of a new state, told to edges with these numbers."""
    return TOLD * sum(min(edges, MOST) for edges in _edges(table, numbers))


def of_removal(table: Table, of: NodeId, removed: int) -> int:
    """The units of the removal of a node's edges, but for so many that were removed already."""
    numbers = [item for item in table.query(patterns.degrees(of)).items if string(item["Type"]) == "DEGREE"]
    return REMOVED * max(0, sum(_edges(table, numbers)) - removed)


def _edges(table: Table, numbers: Iterable[Item]) -> list[int]:
    return [found.get(EDGES, Cell()).count for found in each(table, cells, numbers)]
