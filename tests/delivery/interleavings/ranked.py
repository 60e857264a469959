"""Scenarios of rankings of one place each: nodes enter while others are pruned; and a refill beside whoever rises."""

from dataclasses import replace
from decimal import Decimal
from itertools import product
from random import Random
from typing import Any

from edgewise.dynamodb.attributes import Item, key_of
from functions.replay.memory import MemoryTable
from functions.systems.walks import rankings
from tests.delivery.interleavings.records import CASCADE
from tests.delivery.interleavings.scenario import Budget, Change, Scenario
from tests.delivery.stories import graph
from tests.delivery.stories.story import Source, Story

LABEL = "KNOWS"
_RANKINGS = tuple(product(graph.DIRECTIONS, graph.MEASURES))


def _edge(source: str, target: str, weight: int = 1) -> Source:
    """Without its mirror: it feeds the source's numbers only."""
    return graph.sources(source, LABEL, target, Decimal(weight))[0]


def edge(source: str, target: str, weight: int = 1) -> Change:
    """An edge from now on."""
    stored = _edge(source, target, weight)
    return Change(key_of(stored.item), stored)


def _any(_: Random) -> Source:
    return _edge("p", "x")


def _actual(items: list[Item]) -> Any:
    """The numbers of all nodes; and the greatest as the rankings tell it, and whether they tell it for certain."""
    table = MemoryTable()
    table.items = {key_of(item): item for item in items}
    tops = {about: rankings.top(table, LABEL, *about, 1) for about in _RANKINGS}
    told = {about: (top.complete, [each.number for each in top.standings]) for about, top in tops.items()}
    return graph.STORY.actual(items), told


def _recount(facts: list[Any]) -> Any:
    degrees, greatest = graph.STORY.recount(facts), {}
    for way, measure in _RANKINGS:
        place = graph.MEASURES.index(measure)
        numbers = sorted((each[place] for about, each in degrees.items() if about[1] == way), reverse=True)
        greatest[way, measure] = True, numbers[:1]
    return degrees, greatest


def _certain_is_right(found: Any, expected: Any) -> bool:
    """Whether the numbers are right, and every ranking that is told for certain."""
    degrees, greatest = found
    return degrees == expected[0] and all(top == expected[1][about] for about, top in greatest.items() if top[0])


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
# By weight only p is named. It falls below the floor, while q rises and falls: s, whom no writer judges, is first.
REFILLED = Scenario(
    "a ranking refilled",
    STORY,
    {"a": [edge("p", "x", 1)], "b": [edge("q", "x", 7), edge("q", "x", 4)], "c": [], CASCADE: []},
    Budget(killed=1),
    before={"a": [edge("p", "x", 9)], "b": [edge("q", "x", 1)], "c": [edge("s", "x", 5)]},
    outstanding=True,
    chained=True,
    meanwhile=_certain_is_right,
    bounds={"LEAST": 1, "KEPT": 1, "MOST": 1},
)
# Only q rises, and what runs is given up.
RAISED = replace(
    REFILLED,
    name="a ranking refilled, given up",
    shards={"a": REFILLED.shards["a"], "b": [edge("q", "x", 7)], CASCADE: []},
    before={"a": [edge("p", "x", 9), edge("s", "x", 5)], "b": [edge("q", "x", 1)]},
    budget=Budget(overlapped=1),
)
