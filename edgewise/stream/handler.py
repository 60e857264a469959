"""The Lambda function that keeps the aggregates of a table that was there before."""

from collections.abc import Callable
from functools import cache
from typing import Any

from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb.existing import ExistingTable
from edgewise.dynamodb.table import Table
from edgewise.freshness.telling import Teller
from edgewise.observability import logger, metrics
from edgewise.stream.invocation import absorb, shard_of


def consumer(
    catalog: Catalog, existing: ExistingTable, table: Callable[[], Table]
) -> Callable[[dict[str, Any], Any], dict[str, Any]]:
    """The handler that keeps the aggregates of a catalog in a table.

    Its event source mapping must have a tumbling window, or it raises UnknownShardError.
    """
    teller = cache(Teller)

    @logger.inject_lambda_context
    @metrics.log_metrics
    def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
        return absorb(catalog, table(), teller(), shard_of(event), event, context, existing.record)

    return handler
