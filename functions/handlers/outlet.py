"""Puts what the stage tells the world outside on its bus: the queue's events, several in a request."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise.observability import logger
from functions import startup
from functions.outlet.bus import Bus
from functions.settings import OutletSettings


@cache
def bus() -> Bus:
    """The stage's bus."""
    return Bus(OutletSettings.from_env().event_bus_name)


@logger.inject_lambda_context
def handler(event: dict[str, Any], _context: LambdaContext) -> Any:
    """Put each event on the bus; those that it does not take return to the queue, and finally to the dead letters."""
    began, records = time.monotonic(), event["Records"]
    left = bus().put([each["body"] for each in records])
    logger.info("told", events=len(records), failed=len(left), took_ms=round((time.monotonic() - began) * 1000))
    return {"batchItemFailures": [{"itemIdentifier": records[position]["messageId"]} for position in left]}


startup.finish(bus)
