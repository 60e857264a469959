"""Runs on a schedule: removes emptied aggregates from the table when nothing needs their checkpoints any more.

It also takes up extremes that are unknown because a source could not be read.
"""

from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table
from edgewise.observability import logger, metrics
from edgewise.stream.register import register
from edgewise.stream.sweep import sweep
from functions import startup
from functions.catalog import CATALOG
from functions.settings import SweeperSettings

# How much of the function's time must be left to begin another hundred aggregates.
RESERVE_MS = 20_000


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(SweeperSettings.from_env().table_name)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(_event: dict[str, Any], context: LambdaContext) -> None:
    """Sweep until nothing is left or the time runs out; the next call sweeps the rest."""
    swept = sweep(table(), CATALOG, lambda: context.get_remaining_time_in_millis() > RESERVE_MS)
    metrics.add_metric("EmptiedAggregatesRemoved", MetricUnit.Count, swept.removed)
    # Told even while nothing is written and the readers of the stream rest.
    metrics.add_metric("QuarantineLevel", MetricUnit.Count, register(table()).count)
    logger.info("swept", seen=swept.seen, removed=swept.removed, taken_up=swept.taken_up, complete=swept.complete)


startup.finish(table)
