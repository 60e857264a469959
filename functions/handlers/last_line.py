"""Handles records that no invocation of a stream reader took for 23 hours: it is invoked for each object in the bucket.

By then later records of their shard pass them, so they can't be absorbed any more: the aggregates that they concern say
that they lack something, until somebody repairs them. Their follow-ups can be finished at any time.
"""

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table
from edgewise.aggregates.checkpoints import shard_name
from edgewise.observability import logger, metrics
from edgewise.stream.finishing import finish
from edgewise.stream.last_line import deprive, given_up
from functions import startup
from functions.catalog import CATALOG, FOLLOW_UPS
from functions.settings import LastLineSettings

# How much of the function's time must be left to begin a write: see edge_aggregator.
RESERVE_MS = 40_000


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(LastLineSettings.from_env().table_name)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> None:
    """Handle one object; may be repeated, in full or after any step."""
    found = given_up(event["detail"])
    if found.shard is None:  # the cascade's event: only the consumer's events name their shard
        finish(table(), FOLLOW_UPS, found.records)
    else:
        deprive(table(), CATALOG, found, shard_name(found.shard), lambda: _may_go_on(context))


def _may_go_on(context: LambdaContext) -> bool:
    return context.get_remaining_time_in_millis() > RESERVE_MS


startup.finish(table)
