"""Items of the table to entities and back, one module a system.

Each system lists in `SOURCES` how items that feed aggregates are decoded (None: the item feeds nothing), and in
`INDEXED` which index keys its aggregates carry. Decoding raises KeyError, TypeError or ValueError on a foreign item.
"""

from collections.abc import Callable, Mapping
from typing import Any

from functions.domain.aggregates import AggregateId, Part
from functions.domain.measures import Cell
from functions.store import keys
from functions.store.attributes import Item, string
from functions.store.codec import (
    audits,
    billing,
    chat,
    documents,
    games,
    graph,
    orders,
    places,
    telemetry,
)

__all__ = [
    "EDGES",
    "SOURCES",
    "aggregates_of",
    "audits",
    "billing",
    "chat",
    "documents",
    "games",
    "graph",
    "index_keys",
    "orders",
    "places",
    "telemetry",
]

_SYSTEMS = (
    telemetry,
    chat,
    places,
    graph,
    billing,
    orders,
    games,
    audits,
    documents,
)
SOURCES: Mapping[str, Callable[[Item], Any]] = {
    kind: decode for system in _SYSTEMS for kind, decode in system.SOURCES.items()
}
# Aggregates that feed others: the parts of their names, from their keys.
EDGES: Mapping[str, Callable[[str, str], tuple[Part, ...]]] = {
    "POSTED_IN": lambda pk, sk: (*keys.nodes.node(pk), *keys.nodes.edge_target(sk)),
    "REPORTED_FROM": lambda pk, sk: (*keys.nodes.node(pk), keys.nodes.edge_target(sk)),
    "HOSTS": lambda pk, sk: (keys.nodes.node(pk), *keys.nodes.edge_target(sk)),
    "PLAYED": keys.games.parse_played,
}
_INDEXED: Mapping[str, Callable[[AggregateId, Mapping[str, Cell]], Item]] = {
    kind: index_keys for system in (telemetry, chat, graph, games) for kind, index_keys in system.INDEXED.items()
}


def aggregates_of(item: Item) -> list[AggregateId]:
    """The aggregate that a source is itself, if it is one; raises as decoding does."""
    kind = string(item["Type"])
    return [AggregateId(kind, EDGES[kind](string(item["PK"]), string(item["SK"])))] if kind in EDGES else []


def index_keys(aggregate_id: AggregateId, cells: Mapping[str, Cell]) -> Item:
    """The index keys of an aggregate that stands for something; most have none."""
    return _INDEXED[aggregate_id.kind](aggregate_id, cells) if aggregate_id.kind in _INDEXED else {}
