"""Handles records that no invocation of a stream reader took for 23 hours: it is invoked for each object in the bucket.

By then later records of their shard pass them, so they can't be absorbed any more: the aggregates that they concern say
that they lack something, until somebody repairs them. Their follow-ups can be finished at any time.
"""

from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table
from edgewise.aggregates.checkpoints import shard_name
from edgewise.observability import logger, metrics
from edgewise.stream import changes, lost
from edgewise.stream.lost import Lost
from edgewise.stream.windows import State, UnreadableStateError, Waiting
from functions import startup
from functions.catalog import CATALOG
from functions.handlers import cascade
from functions.settings import LastLineSettings

WHY = "no invocation took its changes for 23 hours"
# How much of the function's time must be left to begin a write: see edge_aggregator.
RESERVE_MS = 40_000


class UnreadableError(Exception):
    """Some records can't be understood, so nobody knows which aggregates lack them; all other records are noted."""

    def __init__(self, records: int, first: Exception) -> None:
        super().__init__(f"{records} records can't be understood: fix the code, then copy the object onto itself")
        self.__cause__ = first


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(LastLineSettings.from_env().table_name)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """Handle one object; may be repeated, in full or after any step."""
    bucket, key = event["detail"]["bucket"]["name"], event["detail"]["object"]["key"]
    given_up = lost.read(bucket, key)
    metrics.add_metric("LostRecords", MetricUnit.Count, len(given_up.records))
    logger.error("lost", object=key, shard=given_up.shard, records=len(given_up.records))
    if given_up.shard is None:  # the cascade's event: only the consumer's events name their shard
        cascade.finish(given_up.records)
    else:
        _deprive(given_up, shard_name(given_up.shard), context)


def _deprive(given_up: Lost, shard: str, context: LambdaContext) -> None:
    found = changes.changes(CATALOG, given_up.records)
    waiting, unreadable = _waiting(given_up.state)
    waiting = waiting.with_batch(found.shared, found.brought, None)
    batch = {**found.own, **changes.all_brought(CATALOG, waiting.brought)}
    noted = lost.note(table(), CATALOG, shard, batch, WHY, lambda: _may_go_on(context))
    noted += lost.note_shared(table(), shard, waiting.shared(CATALOG), WHY, lambda: _may_go_on(context))
    metrics.add_metric("IncompleteAggregates", MetricUnit.Count, noted)
    if unreadable:
        raise unreadable
    if found.unclear:
        raise UnreadableError(len(found.unclear), found.unclear[0][1])


def _may_go_on(context: LambdaContext) -> bool:
    return context.get_remaining_time_in_millis() > RESERVE_MS


def _waiting(state: State) -> tuple[Waiting, UnreadableStateError | None]:
    """What waited for the window's end, which is lost too; or nothing and the error, if this release can't read it."""
    try:
        return Waiting.of(state), None
    except UnreadableStateError as error:
        return Waiting(), error


startup.finish(table)
