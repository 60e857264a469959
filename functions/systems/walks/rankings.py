"""Reads rankings: their item names the nodes that may be among the first; the numbers are in the nodes' aggregates."""

from typing import Literal

from functions.aggregates import standings
from functions.aggregates.ranked import RankingId
from functions.aggregates.standings import Top
from functions.dynamodb.table import Table
from functions.systems.graph.entity import Direction
from functions.systems.graph.system import DEGREE

Measure = Literal["count", "weight"]


def top(table: Table, label: str, direction: Direction, measure: Measure, limit: int) -> Top:
    """The first nodes of a ranking, greatest number first; if several are tied at the end, any of them."""
    return standings.top(table, RankingId(DEGREE, (label, direction), measure), limit)
