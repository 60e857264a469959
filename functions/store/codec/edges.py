"""Edges that the aggregator keeps, decoded as sources of further aggregates."""

from functions.domain.declarations import COUNT
from functions.domain.edges import Edge
from functions.store import keys
from functions.store.attributes import Item, integer, string


def edge(item: Item) -> Edge | None:
    """An edge and how many things it stands for; None for one that stands for nothing any more."""
    source, target = keys.nodes.node(string(item["PK"])), keys.nodes.edge_target(string(item["SK"]))
    if "Cells" not in item:
        return None
    count = item["Cells"]["M"][COUNT]
    return Edge(source, target, integer(count) if "N" in count else int(string(count).partition(" ")[0]))
