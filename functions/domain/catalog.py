"""All systems' declared aggregates together, and what an item contributes to them.

From these declarations come the stream consumer, its filter, the recounts and the documentation.
"""

from collections.abc import Set
from typing import Any

from functions.domain import (
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
from functions.domain.aggregates import AggregateId, Contributions
from functions.domain.continuations import CONTINUED
from functions.domain.declarations import Declaration, Feed
from functions.domain.measures import Observation
from functions.domain.slots import SLOT, slot_id

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
DECLARATIONS: tuple[Declaration, ...] = tuple(each for system in _SYSTEMS for each in system.DECLARATIONS)
# What aggregates are called.
KINDS: tuple[str, ...] = tuple(declaration.name for declaration in DECLARATIONS)
_UNBOUNDED = frozenset([*(declaration.name for declaration in DECLARATIONS if declaration.unbounded), CONTINUED])

# What aggregates are made of; every other type of item is filtered out before it reaches the consumer.
SOURCE_TYPES: tuple[str, ...] = tuple(
    dict.fromkeys(feed.source for declaration in DECLARATIONS for feed in declaration.feeds)
)
# What the consumer must be sent. Slots are among them even where none are asked for: there may have been some before.
DELIVERED_TYPES: tuple[str, ...] = (*SOURCE_TYPES, SLOT)
_FEEDS: dict[str, list[tuple[Declaration, Feed]]] = {
    source: [(d, feed) for d in DECLARATIONS for feed in d.feeds if feed.source == source] for source in SOURCE_TYPES
}
_AFTER: dict[str, str] = {d.name: d.extremes_from for d in DECLARATIONS if d.extremes_from}


def follows(kind: str) -> bool:
    """Whether aggregates of this kind take their extremes from others, so that these must be written before them."""
    return kind in _AFTER


def with_followers(kinds: Set[str]) -> frozenset[str]:
    """These kinds, and those that must not be written before them."""
    return frozenset(kinds) | {kind for kind, first in _AFTER.items() if first in kinds}


def is_unbounded(aggregate_id: AggregateId) -> bool:
    """Whether users name the aggregate's cells, so that it may go on in continuations."""
    return aggregate_id.kind in _UNBOUNDED


def contributions(source_type: str, item: Any, expired: bool = False, slot: int | None = None) -> Contributions:
    """What an item contributes to every aggregate it feeds; nothing if there is no item.

    `expired`: the item is the old image of one that its time to live removed. `slot` takes what the item contributes to
    aggregates that items of many partitions feed; None: they take it themselves.
    """
    if item is None:
        return {}
    fed: dict[AggregateId, dict[str, Observation]] = {}
    for declaration, feed in _FEEDS[source_type]:
        if expired and not declaration.expiry_retracts:
            continue
        for parts, observations in feed.into(item):
            fed_id = AggregateId(declaration.name, parts)
            if feed.shared and slot is not None:
                fed_id = slot_id(fed_id, slot)
            fed.setdefault(fed_id, {}).update(observations)
    return fed
