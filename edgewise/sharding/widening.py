"""More shards: on request, or automatically when writes are too much for the present ones."""

from collections.abc import Callable
from typing import TypeVar

from aws_lambda_powertools.metrics import MetricUnit

from edgewise.dynamodb.table import Table
from edgewise.errors import ConcurrentChangeError, ShrinkRefusedError
from edgewise.observability import logger, metrics
from edgewise.sharding.sharding import Sharding
from edgewise.times import Millis

S = TypeVar("S", bound=Sharding)

# The time that a throttled request may still spend on the widening.
RELIEF_SECONDS = 1


def widen(sharding: S, shards: int, since: Millis, store: Callable[[S], None]) -> S:
    """The same with this many shards from `since` on, stored; raises ShrinkRefusedError, and what `store` raises."""
    if shards < sharding.shards:
        raise ShrinkRefusedError(sharding.name, sharding.shards, shards)
    if shards > sharding.shards:
        sharding = sharding.widened(shards, since)
        store(sharding)
    return sharding


def relieve(table: Table, sharding: S, now: Millis, lead: Millis, store: Callable[[S], None]) -> None:
    """Double the shards of something too hot, `lead` from now, unless it was just widened or has the maximum.

    A concurrent widening by another request is enough. Raises ThrottledError; the next throttled request tries again.
    """
    wider = sharding.doubled(now, since=now + lead)
    if wider is None:
        return
    table.allow(RELIEF_SECONDS)
    try:
        store(wider)
    except ConcurrentChangeError:
        return
    logger.warning("widened", of=wider.name, shards=wider.shards)
    metrics.add_metric("Widened", MetricUnit.Count, 1)
