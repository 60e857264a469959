"""What is declared: ranks that can't loop, sources that can be decoded, and items that contribute nothing."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.edges import Edge
from edgewise.aggregates.feeds import Feed
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.open_hours.declaration import OpenedIn
from edgewise.dynamodb.attributes import Item, n, s
from functions.catalog import CATALOG, SYSTEMS
from functions.systems.chat.entity import Message
from functions.systems.telemetry.entity import Reading, of_closed_place

AT = 1535552130500  # 2018-08-29T14:15:30.500Z
JFK = ("US", "New York", "JFK")
RAW_RANK = 0
BY_NAME = {declaration.name: declaration for declaration in CATALOG.kinds.values()}


def rank(source: str) -> int:
    return BY_NAME[source].rank if source in BY_NAME else RAW_RANK


@pytest.mark.parametrize("kind", CATALOG.kinds.values(), ids=lambda kind: kind.name)
def test_every_source_has_a_lower_rank_than_what_it_feeds(kind: Kind) -> None:
    """So a change runs out of things to feed after a few steps: the consumer can't loop."""
    assert all(rank(feed.source.type) < kind.rank for feed in kind.feeds)


@pytest.mark.parametrize(
    "kind", [kind for kind in CATALOG.kinds.values() if kind.open_hours], ids=lambda kind: kind.name
)
def test_only_what_people_write_may_be_open(kind: Kind) -> None:
    """So a closing that comes back to the aggregate that made it, by way of an edge, closes nothing more."""
    opened = [feed for feed in kind.feeds if feed.takes]
    assert opened
    assert all(feed.source.kind is None for feed in opened)
    assert kind.opened_in is None


def test_the_highest_rank_feeds_nothing_but_by_closings() -> None:
    highest = max(declaration.rank for declaration in CATALOG.kinds.values())
    sources = {feed.source.type for kind in CATALOG.kinds.values() for feed in kind.feeds}
    assert max(map(rank, sources)) < highest
    assert {kind.opened_in.by for kind in CATALOG.kinds.values() if kind.opened_in} == {"DEVICE"}


# By system, the types of items that its aggregates are made of; those of a system that is not here are checked for
# their form only.
SOURCES = {
    "telemetry": {"EVENT", "REPORTED_FROM", "DEVICE"},
    "chat": {"MESSAGE", "POSTED_IN"},
    "places": {"EVENT", "REPORTED_FROM", "HOSTS", "RESIDENT"},
    "billing": {"BILLED"},
    "graph": {"GRAPH_EDGE", "GRAPH_EDGE_IN"},
    "orders": {"ORDER"},
    "games": {"PLAY", "PLAYED"},
    "audits": {"AUDIT"},
    "documents": {"DOCUMENT_PERMISSIONS", "DOCUMENT_REVISION"},
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_system_listens_to_exactly_these_items(name: str) -> None:
    (system,) = (system for system in SYSTEMS if system.name == name)
    assert {of_type for kind in system.kinds for of_type in kind.source_types} == SOURCES[name]


def test_the_consumer_listens_to_raw_items_and_edges_only() -> None:
    below = {name for name in BY_NAME if rank(name) < max(map(rank, BY_NAME))}
    aggregates = set(CATALOG.source_types) & set(BY_NAME)
    assert aggregates == {"POSTED_IN", "REPORTED_FROM", "HOSTS", "PLAYED", "DEVICE"}
    # A device tells what it closes, which counts as raw.
    assert aggregates - {"DEVICE"} <= below


def test_every_source_can_be_decoded_and_nothing_else_is() -> None:
    assert CATALOG.decoders.keys() == set(CATALOG.delivered_types)


@pytest.mark.parametrize("kind", ["POSTED_IN", "REPORTED_FROM", "HOSTS", "PLAYED"])
def test_an_edge_that_stands_for_nothing_contributes_nothing(kind: str) -> None:
    of, to = ("PLAYER", "GAME") if kind == "PLAYED" else ("USER", "ROOM")
    emptied: Item = {"PK": s(f"{of}#a"), "SK": s(f"EDGE#{kind}#{to}#b"), "Type": s(kind), "ExpiresAt": n(1)}
    assert CATALOG.decoders[kind](emptied) is None
    assert CATALOG.contributions(kind, CATALOG.decoders[kind](emptied)) == {}


@pytest.mark.parametrize("kind", CATALOG.source_types)
def test_what_expired_and_what_is_not_there_contribute_nothing(kind: str) -> None:
    items: dict[str, Any] = {
        "EVENT": Reading("123", AT, "e1", JFK, {"temp": Decimal(1)}),
        "MESSAGE": Message("seattle", 1, "amy", AT, "m1", "hi"),
    }
    assert CATALOG.contributions(kind, items.get(kind, Edge(("a",), ("b",), 2)), expired=True) == {}
    assert CATALOG.contributions(kind, None) == {}


@pytest.mark.parametrize(("by", "fault"), [("CUSTOMER", "which has no open part"), ("DEVICE", "which does not say so")])
def test_whoever_is_told_by_closings_and_whoever_closes_say_so_both(by: str, fault: str) -> None:
    """Else nobody would ever pass on what waits, or hours would be closed for nobody."""
    told = replace(BY_NAME["REPORTED_FROM"], name="TOLD", parts=(OpenedIn(by, BY_NAME["DEVICE"], of_closed_place),))
    with pytest.raises(DeclarationError, match=fault):
        Catalog([*CATALOG.kinds.values(), told])


@pytest.mark.parametrize("first", [False, True])
def test_what_has_open_hours_feeds_others_by_closings_alone_in_whatever_order_they_are_declared(first: bool) -> None:
    feed = Feed(BY_NAME["DEVICE"].source(lambda item: item), lambda _: iter(()))
    fed, every = replace(BY_NAME["REPORTED_FROM"], name="FED", rank=9, feeds=(feed,), parts=()), CATALOG.kinds.values()
    with pytest.raises(DeclarationError, match="items of type DEVICE are decoded in two ways"):
        Catalog([fed, *every] if first else [*every, fed])
