"""Materialized edges: aggregates that are sources of further aggregates."""

from dataclasses import dataclass, field

from edgewise.aggregates import keys
from edgewise.aggregates.cells import unpack
from edgewise.aggregates.measures import COUNT, Observation, Observations
from edgewise.dynamodb.attributes import Attribute, Item, integer, string


@dataclass(frozen=True, slots=True)
class Edge:
    """A materialized edge as a source of further aggregates.

    `count` is how many things it stands for; `sums` are the counts and sums of its other cells, by name.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    count: int
    sums: Observations = field(default_factory=dict)


def edge(item: Item) -> Edge | None:
    """The edge that an item stands for; None while it counts nothing, or less.

    A count is below zero while a record that added to it is in quarantine and a later record has taken that away.
    """
    source, target = keys.entity(string(item["PK"])), keys.edge_target(string(item["SK"]))
    packed = item["Cells"]["M"] if "Cells" in item else {}
    if COUNT not in packed or (count := _count(packed[COUNT])) <= 0:
        return None
    return Edge(source, target, count, {name: _sum(packed[name]) for name in packed if name != COUNT})


def _count(packed: Attribute) -> int:
    """The count alone: the stream's readers decode many edges, and instants are slow to parse."""
    return integer(packed) if "N" in packed else int(string(packed).partition(" ")[0])


def _sum(packed: Attribute) -> Observation:
    cell = unpack(packed, 0)
    return Observation(cell.count, amount=cell.total)
