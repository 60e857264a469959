"""Reads summaries of the current generation."""

from decimal import Decimal
from typing import NamedTuple

from edgewise import Millis, Table, decoded, each
from functions.systems.graph import generations, keys, patterns, summary_codec
from functions.systems.graph.entity import NodeId
from functions.systems.graph.summary import Generation, Summary


class AsOf(NamedTuple):
    """A summary, and the instant that it is from."""

    summary: Summary
    at: Millis


class Ranked(NamedTuple):
    """A node's place by its PageRank; equal ones share a rank."""

    rank: int
    node: NodeId
    pagerank: Decimal


def find(table: Table, of: NodeId) -> AsOf | None:
    """The summary of a node, None if there is none: one read, and one of the current generation."""
    generation = generations.current(table)
    item = table.get(keys.SUMMARY(of, generation.run)) if generation else None
    return AsOf(decoded(summary_codec.summary, item), generation.at) if generation and item else None


def top(table: Table, generation: Generation, limit: int) -> list[Ranked]:
    """The nodes with the greatest PageRank, in one query; if several are tied at the end, any of them."""
    found = each(table, summary_codec.ranked, table.query(patterns.by_pagerank(generation.run).part(limit)).items)
    ranked: list[Ranked] = []
    for position, (node, pagerank) in enumerate(found, 1):
        tied = ranked and ranked[-1].pagerank == pagerank
        ranked.append(Ranked(ranked[-1].rank if tied else position, node, pagerank))
    return ranked
