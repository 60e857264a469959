"""Reads of the walks, beside those of the graph: which index, which key condition."""

from collections.abc import Sequence
from typing import Literal

from functions.dynamodb.queries import Query
from functions.dynamodb.schema import BY_NUMBER
from functions.systems.graph import keys as graph_keys
from functions.systems.graph.entity import Direction

Measure = Literal["count", "weight"]


def ranking(label: str, direction: Direction, measure: Measure) -> Sequence[Query]:
    """The nodes with edges of this direction and label, greatest number first: one query per shard."""
    shards = range(graph_keys.RANKING_SHARDS)
    partitions = [graph_keys.ranking(label, direction, measure, shard) for shard in shards]
    return [Query(partition, index=BY_NUMBER, forward=False) for partition in partitions]
