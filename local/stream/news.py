"""Which records are news."""

from typing import Any

from edgewise.stream import changes


def is_news(form: dict[str, Any]) -> bool:
    """Whether a record is more than a heartbeat, or a carrier that carries nothing: these come all the time."""
    return not (changes.heartbeats([form]) or changes.is_position(form))
