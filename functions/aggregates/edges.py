"""Materialized edges: aggregates that are sources of further aggregates."""

from dataclasses import dataclass, field

from functions.aggregates import keys
from functions.aggregates.cells import unpack
from functions.aggregates.measures import COUNT, Observation, Observations
from functions.dynamodb.attributes import Attribute, Item, integer, string


@dataclass(frozen=True, slots=True)
class Edge:
    """A materialized edge as a source of further aggregates.

    It says how many things it stands for, and by name what its other cells tell: a count and a sum each.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    count: int
    sums: Observations = field(default_factory=dict)


def edge(item: Item) -> Edge | None:
    """An edge with what it tells; None for one that stands for nothing, any more or yet.

    Below zero is one whose first record is in quarantine while what followed took its part away.
    """
    source, target = keys.entity(string(item["PK"])), keys.edge_target(string(item["SK"]))
    packed = item["Cells"]["M"] if "Cells" in item else {}
    if COUNT not in packed or (count := _count(packed[COUNT])) <= 0:
        return None
    return Edge(source, target, count, {name: _sum(packed[name]) for name in packed if name != COUNT})


def _count(packed: Attribute) -> int:
    """The count alone: readers of the stream decode many edges, and instants take long to parse."""
    return integer(packed) if "N" in packed else int(string(packed).partition(" ")[0])


def _sum(packed: Attribute) -> Observation:
    cell = unpack(packed, 0)
    return Observation(cell.count, amount=cell.total)
