"""Reads rankings: the aggregates' numbers are the sort keys, so only the top is read."""

from decimal import Decimal
from typing import NamedTuple

from functions.dynamodb import merge
from functions.dynamodb.attributes import Item, number, string
from functions.dynamodb.decoding import each
from functions.dynamodb.schema import BY_NUMBER
from functions.dynamodb.table import Table
from functions.systems.graph import keys as graph_keys
from functions.systems.graph.entity import Direction, NodeId
from functions.systems.walks import patterns
from functions.systems.walks.patterns import Measure


class Ranked(NamedTuple):
    """A node's place in a ranking; equal numbers share a rank."""

    rank: int
    node: NodeId
    number: Decimal


def top(table: Table, label: str, direction: Direction, measure: Measure, limit: int) -> list[Ranked]:
    """The first nodes of a ranking, greatest number first; if several are tied at the end, any of them."""
    ranked: list[Ranked] = []
    entries = merge.top(table, patterns.ranking(label, direction, measure), limit)
    for position, (node, found) in enumerate(each(table, _entry, entries), 1):
        rank = ranked[-1].rank if ranked and ranked[-1].number == found else position
        ranked.append(Ranked(rank, node, found))
    return ranked


def _entry(item: Item) -> tuple[NodeId, Decimal]:
    return graph_keys.parse_node(string(item["PK"])), number(item[BY_NUMBER.sort_key])
