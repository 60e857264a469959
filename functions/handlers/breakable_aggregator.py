"""The stream consumer of stages with faults: the same, on a table that does what somebody has asked for."""

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise.observability import logger, metrics
from functions import startup
from functions.catalog import CATALOG
from functions.faults.breaking import BreakableTable, absorb
from functions.handlers import edge_aggregator


@cache
def table() -> BreakableTable:
    """The consumer's table, with its connections."""
    whole = edge_aggregator.table()
    return BreakableTable(whole.name, whole.client, statements=whole.statements)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Absorb one batch of one shard, and let happen to it what is asked for (functions/faults/breaking.py)."""
    return absorb(table(), CATALOG, edge_aggregator.teller(), event, context, edge_aggregator.keeper())


startup.finish(table)
