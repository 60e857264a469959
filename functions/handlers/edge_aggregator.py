"""The stream consumer: applies changes to aggregates, exactly once, however often they are delivered."""

from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table
from edgewise.freshness.telling import Teller
from edgewise.observability import logger, metrics
from edgewise.stream.invocation import absorb, shard_of
from functions import keeping, startup
from functions.catalog import CATALOG
from functions.keeping import Keeper
from functions.settings import STATEMENTS, ConsumerSettings


@cache
def settings() -> ConsumerSettings:
    """The function's settings."""
    return ConsumerSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name, statements=settings().writes == STATEMENTS)


@cache
def teller() -> Teller:
    """What this environment has told of the shards."""
    return Teller()


@cache
def keeper() -> Keeper | None:
    """Who keeps batches for the releases to come; None: nobody."""
    return keeping.keeper(settings().keeps)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Absorb one batch of one shard (edgewise/stream/invocation.py)."""
    if kept := keeper():
        return kept.absorb(CATALOG, table(), teller(), event, context)
    return absorb(CATALOG, table(), teller(), shard_of, event, context)


startup.finish(table)
