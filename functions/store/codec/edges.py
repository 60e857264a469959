"""Edges that the aggregator keeps, decoded as sources of further aggregates."""

from functions.domain.declarations import COUNT
from functions.domain.edges import Edge
from functions.store import keys
from functions.store.attributes import Item, integer, string


def edge(item: Item) -> Edge | None:
    """An edge and how many things it stands for; None for one that stands for nothing, any more or yet.

    Below zero is one whose first record is in quarantine while what followed took its part away.
    """
    source, target = keys.nodes.node(string(item["PK"])), keys.nodes.edge_target(string(item["SK"]))
    packed = item["Cells"]["M"].get(COUNT) if "Cells" in item else None
    if packed is None:
        return None
    count = integer(packed) if "N" in packed else int(string(packed).partition(" ")[0])
    return Edge(source, target, count) if count > 0 else None
