"""Closes sockets whose time is over: every minute, those whose users' tokens have ended, or were taken back."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table, clock
from edgewise.observability import logger, metrics, spent
from edgewise.times import SECOND
from functions import revocations, startup
from functions.push import store
from functions.push.gateway import Gateway, Sent
from functions.settings import SocketSettings

# So long after tokens were taken back, open connections are looked at.
LOOKED_FOR = 5 * 60 * SECOND


@cache
def settings() -> SocketSettings:
    """The function's settings."""
    return SocketSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@cache
def gateway() -> Gateway:
    """The open connections."""
    return Gateway(settings().socket_endpoint)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(_event: dict[str, Any], _context: LambdaContext) -> None:
    """Close what has ended, and remove what is stored of it."""
    began, closed = time.monotonic(), 0
    table().usage.reset()
    now = clock.now()
    known = revocations.read(table())
    # A connection that was admitted just before everybody knew is met by the sweeps after that.
    recent = any(at > now - LOOKED_FOR for at in known.until.values())
    for connection in (*store.ended(table(), now), *(store.revoked(table(), known) if recent else ())):
        # One that the gateway does not close now is met again in a minute, and holds up no other.
        if gateway().close(connection) is not Sent.MISSED:
            store.disconnect(table(), connection)
            closed += 1
    metrics.add_metric("SocketsEnded", MetricUnit.Count, closed)
    logger.info("swept", closed=closed, **spent(began, table().usage.figures()))


startup.finish(table)
