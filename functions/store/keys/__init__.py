"""The one home of every key: nothing else in the project joins, splits or guesses them. One module a system."""

from collections.abc import Callable, Mapping

from functions.domain.aggregates import AggregateId
from functions.domain.continuations import CONTINUED, whole
from functions.domain.slots import SLOT, aggregate_of
from functions.store.keys import (
    audits,
    billing,
    chat,
    continuations,
    documents,
    emptied,
    games,
    graph,
    incomplete,
    nodes,
    orders,
    places,
    quarantine,
    slots,
    telemetry,
    versions,
)
from functions.store.keys.grammar import Key

__all__ = [
    "AGGREGATES",
    "Key",
    "aggregate",
    "audits",
    "billing",
    "chat",
    "continuations",
    "documents",
    "emptied",
    "games",
    "graph",
    "incomplete",
    "nodes",
    "orders",
    "places",
    "quarantine",
    "slots",
    "telemetry",
    "versions",
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
AGGREGATES: Mapping[str, Callable[..., Key]] = {
    kind: key for system in _SYSTEMS for kind, key in system.AGGREGATES.items()
}


def aggregate(aggregate_id: AggregateId) -> Key:
    """The primary key of an aggregate."""
    if aggregate_id.kind == SLOT:
        return slots.slot(int(str(aggregate_id.parts[0])), aggregate(aggregate_of(aggregate_id)))
    if aggregate_id.kind == CONTINUED:
        return continuations.continuation(str(aggregate_id.parts[0]), aggregate(whole(aggregate_id)))
    return AGGREGATES[aggregate_id.kind](*aggregate_id.parts)
