"""Logger and metrics of every function, configured by the POWERTOOLS_* variables that infra sets."""

import time
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit

logger = Logger()
metrics = Metrics()


def spent(began: float, figures: Mapping[str, Any]) -> dict[str, Any]:
    """For the one line that an invocation logs: `took_ms` since `began` (monotonic), and the table's figures.

    The units are counted as metrics, too, and requests that failed as a whole; the line has the codes of their errors.
    """
    metrics.add_metric("ReadUnits", MetricUnit.Count, figures["read_units"])
    metrics.add_metric("WriteUnits", MetricUnit.Count, figures["write_units"])
    if failures := figures.get("failures"):
        metrics.add_metric("RequestsFailed", MetricUnit.Count, sum(failures.values()))
    return {**figures, "took_ms": round((time.monotonic() - began) * 1000)}
