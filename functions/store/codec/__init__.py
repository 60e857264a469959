"""Items of the table to entities and back, one module a system.

Each system lists in `SOURCES` how items that feed aggregates are decoded (None: the item feeds nothing), and in
`INDEXED` which index keys its aggregates carry. Decoding raises KeyError, TypeError or ValueError on a foreign item.
"""

from collections.abc import Callable, Mapping
from typing import Any

from functions.domain.aggregates import AggregateId
from functions.domain.measures import Cell
from functions.store.attributes import Item
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
    "SOURCES",
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
_INDEXED: Mapping[str, Callable[[AggregateId, Mapping[str, Cell]], Item]] = {
    kind: index_keys for system in (telemetry, chat, graph, games) for kind, index_keys in system.INDEXED.items()
}


def index_keys(aggregate_id: AggregateId, cells: Mapping[str, Cell]) -> Item:
    """The index keys of an aggregate that stands for something; most have none."""
    return _INDEXED[aggregate_id.kind](aggregate_id, cells) if aggregate_id.kind in _INDEXED else {}
