"""Every read of the project as a named value, one module a system."""

from functions.store.patterns import (
    audits,
    billing,
    chat,
    documents,
    emptied,
    games,
    graph,
    incomplete,
    orders,
    places,
    quarantine,
    telemetry,
    walks,
)

__all__ = [
    "audits",
    "billing",
    "chat",
    "documents",
    "emptied",
    "games",
    "graph",
    "incomplete",
    "orders",
    "places",
    "quarantine",
    "telemetry",
    "walks",
]
