"""Sends heartbeats through the stream: by a schedule once a minute, and by a queue in between."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import startup
from functions.dynamodb.table import Table
from functions.freshness import delays, heartbeats, known
from functions.freshness.shards import NO_PARENT
from functions.observability import logger, metrics, spent
from functions.settings import SINGLE_SHARD, HeartbeatSettings


@cache
def settings() -> HeartbeatSettings:
    """The function's settings."""
    return HeartbeatSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@logger.inject_lambda_context
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """Send one heartbeat to each shard. The schedule's call surveys the shards before, and asks for the next ones."""
    began = time.monotonic()
    table().usage.reset()
    scheduled = "Records" not in event
    if scheduled:
        delays.ask_later(settings().queue_url)
    found = heartbeats.survey(table(), _open_shards) if scheduled else known.read(table())
    heartbeats.beat(table(), found)
    metrics.add_metric("Heartbeats", MetricUnit.Count, len(found.shards.heartbeats))
    logger.info("beat", shards=len(found.shards.parents), **spent(began, table().usage.figures()))


def _open_shards() -> dict[str, str]:
    if settings().shard_source == SINGLE_SHARD:
        return {SINGLE_SHARD: NO_PARENT}
    return dict(heartbeats.of_stream(settings().stream_arn))


startup.finish(table)
