"""What is declared: ranks that can't loop, and what each source contributes, item by item."""

from decimal import Decimal
from typing import Any

import pytest

from functions.aggregates.edges import Edge
from functions.aggregates.kinds import Kind
from functions.aggregates.measures import Observation, Observations
from functions.catalog import CATALOG, SYSTEMS
from functions.dynamodb.attributes import Item, n, s
from functions.systems.audits.entity import Audit
from functions.systems.chat.entity import Message
from functions.systems.documents.entity import Revision
from functions.systems.places.entity import Resident
from functions.systems.telemetry.entity import Reading

AT = 1535552130500  # 2018-08-29T14:15:30.500Z: the third hour of the block that begins at 12:00
NOON, DAY = 1535544000000, 1535500800000
RAW_RANK = 0
BY_NAME = {declaration.name: declaration for declaration in CATALOG.kinds.values()}


def rank(source: str) -> int:
    return BY_NAME[source].rank if source in BY_NAME else RAW_RANK


@pytest.mark.parametrize("kind", CATALOG.kinds.values(), ids=lambda kind: kind.name)
def test_every_source_has_a_lower_rank_than_what_it_feeds(kind: Kind) -> None:
    """So a change runs out of things to feed after a few steps: the consumer can't loop."""
    assert all(rank(feed.source.type) < kind.rank for feed in kind.feeds)


def test_the_highest_rank_feeds_nothing() -> None:
    highest = max(declaration.rank for declaration in CATALOG.kinds.values())
    assert all(rank(source) < highest for source in CATALOG.source_types)


# By system, the types of items that its aggregates are made of; those of a system that is not here are checked for
# their form only.
SOURCES = {
    "telemetry": {"EVENT", "REPORTED_FROM"},
    "chat": {"MESSAGE", "POSTED_IN"},
    "places": {"REPORTED_FROM", "HOSTS", "RESIDENT"},
    "billing": {"BILLED"},
    "graph": {"GRAPH_EDGE"},
    "orders": {"ORDER"},
    "games": {"PLAY", "PLAYED"},
    "audits": {"AUDIT"},
    "documents": {"DOCUMENT_REVISION"},
}


@pytest.mark.parametrize("name", SOURCES)
def test_a_system_listens_to_exactly_these_items(name: str) -> None:
    (system,) = (system for system in SYSTEMS if system.name == name)
    assert {feed.source.type for kind in system.kinds for feed in kind.feeds} == SOURCES[name]


def test_the_consumer_listens_to_raw_items_and_edges_only() -> None:
    edges = {name for name, kind in BY_NAME.items() if kind.parse and kind.rank < max(map(rank, BY_NAME))}
    assert set(CATALOG.source_types) & set(BY_NAME) <= edges
    assert {"POSTED_IN", "REPORTED_FROM", "HOSTS", "PLAYED"} == edges & set().union(*SOURCES.values())


def test_every_source_can_be_decoded_and_nothing_else_is() -> None:
    assert CATALOG.decoders.keys() == set(CATALOG.source_types)


SEEN = Observation(at=AT)
TEMP, WIND = Observation(1, Decimal("39.02"), AT), Observation(1, Decimal(-1), AT)
JFK = ("US", "New York", "JFK")


@pytest.mark.parametrize(
    ("kind", "item", "expected"),
    [
        (
            "EVENT",
            Reading("123", AT, "e1", JFK, {"temp": Decimal("39.02"), "wind": Decimal(-1)}),
            {
                ("DEVICE", ("123",)): {"Events": SEEN},
                ("REPORTED_FROM", ("123", JFK)): {"Count": SEEN},
                ("ROLLUP_HOUR", ("123", NOON)): {"2.temp": TEMP, "2.wind": WIND},
                ("ROLLUP_DAY", ("123", DAY)): {"0.temp": TEMP, "0.wind": WIND},
            },
        ),
        ("EVENT", Reading("123", AT, "e1", (), {}), {("DEVICE", ("123",)): {"Events": SEEN}}),
        (
            "EVENT",
            Reading("123", -1, "e1", (), {"t": Decimal(0)}),
            {
                ("DEVICE", ("123",)): {"Events": Observation(at=-1)},
                ("ROLLUP_HOUR", ("123", -14_400_000)): {"3.t": Observation(1, Decimal(0), -1)},
                ("ROLLUP_DAY", ("123", -86_400_000)): {"0.t": Observation(1, Decimal(0), -1)},
            },
        ),
        (
            "AUDIT",
            Audit("Equipment_1", "engine", 12, AT, "amy", "passed"),
            {("EQUIPMENT", ("Equipment_1",)): {"Audits": Observation(), "Result.passed": Observation()}},
        ),
        (
            "DOCUMENT_REVISION",
            Revision("d", 3, AT, "amy", "text"),
            {("DOCUMENT", ("d",)): {"Revisions": Observation(), "Author.amy": Observation()}},
        ),
        (
            "MESSAGE",
            Message("seattle", 3, "amy", AT, "m1", "hi"),
            {("POSTED_IN", ("amy", "seattle")): {"Count": SEEN}},
        ),
        (
            "POSTED_IN",
            Edge(("amy",), ("seattle",), 7),
            {
                ("ROOM", ("seattle",)): {"Messages": Observation(7), "Users": Observation()},
                ("USER", ("amy",)): {"Messages": Observation(7), "Rooms": Observation()},
            },
        ),
        (
            "REPORTED_FROM",
            Edge(("123",), JFK, 7),
            {
                ("DEVICE", ("123",)): {"Places": Observation()},
                ("HOSTS", (("US",), "123")): {"Count": Observation()},
                ("HOSTS", (("US", "New York"), "123")): {"Count": Observation()},
                ("HOSTS", (JFK, "123")): {"Count": Observation()},
                ("PLACE", (("US",),)): {"Events": Observation(7)},
                ("PLACE", (("US", "New York"),)): {"Events": Observation(7)},
                ("PLACE", (JFK,)): {"Events": Observation(7)},
                ("CONTAINS", (("US",), "New York")): {"Events": Observation(7)},
                ("CONTAINS", (("US", "New York"), "JFK")): {"Events": Observation(7)},
            },
        ),
        (
            "HOSTS",
            Edge(("US", "New York"), ("123",), 2),
            {
                ("PLACE", (("US", "New York"),)): {"Devices": Observation()},
                ("CONTAINS", (("US",), "New York")): {"Devices": Observation()},
            },
        ),
        ("HOSTS", Edge(("US",), ("123",), 1), {("PLACE", (("US",),)): {"Devices": Observation()}}),
        (
            "RESIDENT",
            Resident("ROOM", "seattle", JFK),
            {
                ("PLACE", (("US",),)): {"ROOM": Observation()},
                ("PLACE", (("US", "New York"),)): {"ROOM": Observation()},
                ("PLACE", (JFK,)): {"ROOM": Observation()},
                ("CONTAINS", (("US",), "New York")): {"ROOM": Observation()},
                ("CONTAINS", (("US", "New York"), "JFK")): {"ROOM": Observation()},
            },
        ),
    ],
)
def test_an_item_contributes(kind: str, item: Any, expected: dict[tuple[str, tuple[str, ...]], Observations]) -> None:
    assert CATALOG.contributions(kind, item) == {
        CATALOG.kinds[name](*parts): cells for (name, parts), cells in expected.items()
    }


@pytest.mark.parametrize("kind", ["POSTED_IN", "REPORTED_FROM", "HOSTS", "PLAYED"])
def test_an_edge_that_stands_for_nothing_contributes_nothing(kind: str) -> None:
    of = "PLAYER" if kind == "PLAYED" else "USER"
    emptied: Item = {"PK": s(f"{of}#a"), "SK": s(f"EDGE#{kind}#ROOM#b"), "Type": s(kind), "ExpiresAt": n(1)}
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
