"""Reads of emptied aggregates, for the sweep that removes them."""

from functions.aggregates import keys
from functions.dynamodb.queries import Between, Query
from functions.dynamodb.schema import BY_VALUE
from functions.times import EARLIEST, Millis


def until(newest: Millis) -> list[Query]:
    """Those whose newest checkpoint is of this instant or earlier, a query for each shard of their list."""
    condition = Between(keys.emptied_since(EARLIEST), keys.emptied_since(newest))
    return [Query(shard, condition, BY_VALUE) for shard in keys.EMPTIED]
