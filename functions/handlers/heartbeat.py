"""Sends heartbeats through the stream: by a schedule once a minute, and by a queue in between."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table
from edgewise.freshness import delays, heartbeats, known
from edgewise.observability import logger
from functions import startup
from functions.settings import HeartbeatSettings


@cache
def settings() -> HeartbeatSettings:
    """The function's settings."""
    return HeartbeatSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """Send one heartbeat to each shard. The schedule's call surveys the shards before, and asks for the next ones."""
    table().usage.reset()
    scheduled = "Records" not in event
    if scheduled:
        delays.ask_later(settings().queue_url)
    found = heartbeats.survey(table(), _open_shards) if scheduled else known.read(table())
    heartbeats.beat(table(), found)
    logger.info("beat", shards=len(found.shards.parents), **table().usage.figures())


def _open_shards() -> Mapping[str, str]:
    return heartbeats.of_stream(settings().stream_arn)


startup.finish(table)
