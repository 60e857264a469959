"""A scenario of rankings: of one place each, which nodes enter while others are pruned from it."""

from decimal import Decimal
from random import Random
from typing import Any

from functions.dynamodb.attributes import Item, key_of
from functions.systems.graph.codec import edge_item
from functions.systems.graph.entity import GraphEdge, NodeId
from functions.systems.walks import rankings
from tests.delivery.interleavings.scenario import Budget, Change, Scenario
from tests.delivery.stories import graph
from tests.delivery.stories.story import Source, Story
from tests.support.memory import MemoryTable

LABEL, ONE = "KNOWS", Decimal(1)


def _edge(source: str, target: str) -> Source:
    edge = GraphEdge(NodeId("person", source), LABEL, NodeId("person", target), ONE)
    return Source(edge_item(edge), (source, LABEL, target, ONE))


def edge(source: str, target: str) -> Change:
    """An edge from now on."""
    stored = _edge(source, target)
    return Change(key_of(stored.item), stored)


def _any(_: Random) -> Source:
    return _edge("p", "x")


def _actual(items: list[Item]) -> Any:
    """The numbers of all nodes, and the greatest as the rankings tell it."""
    table = MemoryTable()
    table.items = {key_of(item): item for item in items}
    tops = [rankings.top(table, LABEL, way, "count", 1).standings for way in graph.DIRECTIONS]
    return graph.STORY.actual(items), [[each.number for each in top] for top in tops]


def _recount(facts: list[Any]) -> Any:
    degrees = graph.STORY.recount(facts)
    counts = {way: [count for about, (count, _) in degrees.items() if about[1] == way] for way in graph.DIRECTIONS}
    return degrees, [sorted(counts[way], reverse=True)[:1] for way in graph.DIRECTIONS]


STORY = Story("rankings of one place", _any, _recount, _actual)
ENTERED = Scenario(
    "rankings entered and pruned",
    STORY,
    {"a": [edge("p", "x")], "b": [edge("q", "y"), edge("r", "y")]},
    Budget(killed=1),
    before={"a": [edge("s", "x"), edge("s", "y")]},
    outstanding=True,
    bounds={"LEAST": 0, "KEPT": 1, "MOST": 1},
)
