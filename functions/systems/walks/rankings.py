"""Reads rankings: their item names the nodes that may be among the first; the numbers are in the nodes' aggregates.

The ranking by PageRank is a list that a fill stored, as of one instant.
"""

from typing import Literal, NamedTuple

from edgewise import Millis, Table
from edgewise.aggregates.rankings import standings
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.aggregates.rankings.standings import Top
from functions.systems.graph import generations, summaries
from functions.systems.graph.entity import Direction
from functions.systems.graph.summaries import Ranked
from functions.systems.graph.system import DEGREE

Measure = Literal["count", "weight", "pagerank"]


class ByPageRank(NamedTuple):
    """The nodes with the greatest PageRank as of an instant; None: there was no fill yet."""

    nodes: list[Ranked]
    at: Millis | None


def top(table: Table, label: str, direction: Direction, measure: Measure, limit: int) -> Top:
    """The first nodes of a ranking, greatest number first; if several are tied at the end, any of them."""
    return standings.top(table, RankingId(DEGREE, (label, direction), measure), limit)


def by_pagerank(table: Table, limit: int) -> ByPageRank:
    """The first nodes by PageRank, greatest first: one query, and one read of the current generation."""
    generation = generations.current(table)
    if generation is None:
        return ByPageRank([], None)
    return ByPageRank(summaries.top(table, generation, limit), generation.at)
