"""The shares of all systems in a run."""

from collections.abc import Callable
from random import Random

from verify.corner import Corner
from verify.share import Share
from verify.shares import audits, billing, chat, documents, games, graph, orders, places, telemetry

SHARES: tuple[Callable[[Corner, Random, int], Share], ...] = (
    telemetry.share,
    chat.share,
    places.share,
    orders.share,
    billing.share,
    games.share,
    graph.share,
    audits.share,
    documents.share,
)


def shares(corner: Corner, seed: int, events: int) -> list[Share]:
    """The part of each system in a run of about this many events; the same seed gives the same parts."""
    return [make(corner, Random(f"{seed} {make.__module__}"), events) for make in SHARES]
