"""Every read of the project as a named value, one module a system."""

from functions.store.patterns import billing, chat, graph, places, telemetry

__all__ = ["billing", "chat", "graph", "places", "telemetry"]
