"""What is told of each HTTP request: one line in the log, and the metrics.

The line names the route as a template, and the caller by name and by sub; it holds nothing else that they sent.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit

from edgewise.dynamodb.usage import Usage
from edgewise.observability import logger, metrics, spent
from functions.web import admission

# Of the items that a list leaves out, so many keys are logged.
NAMED = 10


def tell(event: Mapping[str, Any], status: int, usage: Usage, began: float) -> None:
    """Log and count one request that began then (monotonic); Powertools adds the function and the request's id."""
    if usage.left_out:
        _tell_left_out(usage.left_out)
    metrics.add_metric("Requests", MetricUnit.Count, 1)
    logger.info(
        "answered",
        route=event.get("routeKey"),
        caller=admission.name_of(event),
        sub=admission.sub_of(event),
        status=status,
        **spent(began, usage.figures()),
    )


def _tell_left_out(keys: Sequence[str]) -> None:
    logger.warning("left out", items=len(keys), keys=keys[:NAMED])
    metrics.add_metric("ItemsLeftOut", MetricUnit.Count, len(keys))
