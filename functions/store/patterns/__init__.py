"""Every read of the project as a named value, one module a system."""

from functions.store.patterns import chat, graph, places, telemetry

__all__ = ["chat", "graph", "places", "telemetry"]
