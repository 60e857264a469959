"""Reads of emptied aggregates and of carriers, for the sweep that removes them."""

from edgewise.aggregates import keys
from edgewise.dynamodb.queries import Between, Query
from edgewise.dynamodb.schema import BY_VALUE
from edgewise.times import EARLIEST, Millis


def until(newest: Millis) -> list[Query]:
    """The emptied aggregates whose newest checkpoint is no later than this instant: a query for each of their lists."""
    condition = Between(keys.emptied_since(EARLIEST), keys.emptied_since(newest))
    return [Query(shard, condition, BY_VALUE) for shard in keys.EMPTIED_LISTS]


def carriers(group: int) -> Query:
    """The carriers of a group."""
    return Query(keys.CARRIERS(str(group)))
