"""Reads of the walks, beside those of the graph: which index, which key condition."""

from collections.abc import Sequence
from typing import Literal

from functions.domain.graph import Direction
from functions.store import keys
from functions.store.queries import Query
from functions.store.schema import BY_NUMBER

Measure = Literal["count", "weight"]


def ranking(label: str, direction: Direction, measure: Measure) -> Sequence[Query]:
    """The nodes with such edges, greatest number first: one query a shard."""
    shards = range(keys.graph.RANKING_SHARDS)
    partitions = [keys.graph.ranking(label, direction, measure, shard) for shard in shards]
    return [Query(partition, index=BY_NUMBER, forward=False) for partition in partitions]
