"""Handles records that no invocation of a stream reader took for 23 hours: it is invoked for each object in the bucket.

By then later records of their shard pass them, so they can't be absorbed any more: the aggregates that they concern say
that they lack something, until somebody repairs them. Their follow-ups can be finished at any time.
"""

from functools import cache, partial
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import startup
from functions.aggregates.effects import Batch
from functions.catalog import CATALOG
from functions.dynamodb.table import Table
from functions.handlers import cascade
from functions.observability import logger, metrics
from functions.settings import LastLineSettings
from functions.stream import changes, lost, windows
from functions.stream.lost import Lost
from functions.stream.register import register
from functions.stream.windows import UnreadableStateError

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
        _deprive(given_up, given_up.shard.removeprefix("shardId-"), context)


def _deprive(given_up: Lost, shard: str, context: LambdaContext) -> None:
    known = register(table())
    batch, unclear = changes.batch(CATALOG, given_up.records, partial(known.partials.partial_of, shard))
    everything, unreadable = _with_waiting(given_up.state, batch)
    noted = lost.note(
        table(), CATALOG, shard, everything, WHY, lambda: context.get_remaining_time_in_millis() > RESERVE_MS
    )
    metrics.add_metric("IncompleteAggregates", MetricUnit.Count, noted)
    if unreadable:
        raise unreadable
    if unclear:
        raise UnreadableError(len(unclear), unclear[0][1])


def _with_waiting(state: windows.State, batch: Batch) -> tuple[Batch, UnreadableStateError | None]:
    """The batch and the effects that waited for the window's end, which are lost too.

    If this release can't read the state: the batch alone, and the error.
    """
    try:
        return windows.ended(CATALOG, state, batch).ready, None
    except UnreadableStateError as error:
        return batch, error


startup.finish(table)
