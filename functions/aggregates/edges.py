"""Materialized edges: aggregates that are sources of further aggregates."""

from dataclasses import dataclass

from functions.aggregates import keys
from functions.aggregates.measures import COUNT
from functions.dynamodb.attributes import Item, integer, string


@dataclass(frozen=True, slots=True)
class Edge:
    """A materialized edge as a source of further aggregates: how many things it stands for."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    count: int


def edge(item: Item) -> Edge | None:
    """An edge and how many things it stands for; None for one that stands for nothing, any more or yet.

    Below zero is one whose first record is in quarantine while what followed took its part away.
    """
    source, target = keys.node(string(item["PK"])), keys.edge_target(string(item["SK"]))
    packed = item["Cells"]["M"].get(COUNT) if "Cells" in item else None
    if packed is None:
        return None
    count = integer(packed) if "N" in packed else int(string(packed).partition(" ")[0])
    return Edge(source, target, count) if count > 0 else None
