"""Materialized edges: aggregates that are sources of further aggregates."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from functions.aggregates import keys
from functions.aggregates.cells import unpack
from functions.aggregates.measures import COUNT
from functions.dynamodb.attributes import Attribute, Item, integer, string


@dataclass(frozen=True, slots=True)
class Edge:
    """A materialized edge as a source of further aggregates: how many things it stands for, the sums of other cells."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    count: int
    sums: Mapping[str, Decimal] = field(default_factory=dict)


def edge(item: Item) -> Edge | None:
    """An edge with what it tells; None for one that stands for nothing, any more or yet.

    Below zero is one whose first record is in quarantine while what followed took its part away.
    """
    source, target = keys.node(string(item["PK"])), keys.edge_target(string(item["SK"]))
    packed = item["Cells"]["M"] if "Cells" in item else {}
    if COUNT not in packed or (count := _count(packed[COUNT])) <= 0:
        return None
    return Edge(source, target, count, {name: unpack(packed[name], 0).total for name in packed if name != COUNT})


def _count(packed: Attribute) -> int:
    """The count alone: readers of the stream decode many edges, and instants take long to parse."""
    return integer(packed) if "N" in packed else int(string(packed).partition(" ")[0])
