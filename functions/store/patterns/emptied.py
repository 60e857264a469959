"""Reads of emptied aggregates, for the sweep that removes them."""

from functions.domain.times import EARLIEST, Millis
from functions.store import keys
from functions.store.queries import Between, Query
from functions.store.schema import BY_VALUE


def until(newest: Millis) -> list[Query]:
    """Those whose newest mark is of this instant or earlier, a query for each shard of their list."""
    condition = Between(keys.emptied.since(EARLIEST), keys.emptied.since(newest))
    return [Query(shard, condition, BY_VALUE) for shard in keys.emptied.SHARDS]
