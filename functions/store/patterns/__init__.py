"""Every read of the project as a named value, one module a system."""

from functions.store.patterns import billing, chat, games, graph, orders, places, telemetry, walks

__all__ = ["billing", "chat", "games", "graph", "orders", "places", "telemetry", "walks"]
