"""The graph once more, with so many nodes that rankings are pruned and refilled: only the first few are compared.

The bounds of rankings are as small in all these tests (tests/delivery/consuming.py).
"""

from decimal import Decimal
from random import Random
from typing import Any

from edgewise.aggregates.rankings.standings import Top
from edgewise.dynamodb.table import Table
from functions.systems.walks import rankings
from tests.delivery.stories import graph
from tests.delivery.stories.story import Numbers, Rankings, Source, Story

NODES, LABEL = tuple(f"n{number:02}" for number in range(20)), "KNOWS"
TOP = 4


def _source(random: Random) -> Source:
    source, target, weight = random.choice(NODES), random.choice(NODES), Decimal(random.randint(-3, 30))
    return random.choice(graph.sources(source, LABEL, target, weight))


def _read(table: Table) -> Numbers:
    """The first few numbers of every ranking with their ranks; ties at the end may be any."""
    return {
        (direction, measure): _top(rankings.top(table, LABEL, direction, measure, TOP))
        for direction in graph.DIRECTIONS
        for measure in graph.MEASURES
    }


def _top(found: Top) -> list[Any]:
    assert len({each.member for each in found.standings}) == len(found.standings)
    return [found.complete, *((each.rank, each.number) for each in found.standings)]


def _sort(facts: list[Any]) -> Numbers:
    lists: Numbers = {}
    degrees = graph.STORY.recount(facts)
    for direction in graph.DIRECTIONS:
        for position, measure in enumerate(graph.MEASURES):
            numbers = sorted(
                (found[position] for about, found in degrees.items() if about[1] == direction), reverse=True
            )
            ranks = [(1 + sum(other > own for other in numbers), own) for own in numbers[:TOP]]
            lists[direction, measure] = [True, *ranks]
    return lists


STORY = Story("ranked", _source, graph.STORY.recount, graph.STORY.actual, Rankings(_read, _sort))
