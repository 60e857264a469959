"""Every read of the project as a named value, one module a system."""

from functions.store.patterns import chat, places, telemetry

__all__ = ["chat", "places", "telemetry"]
