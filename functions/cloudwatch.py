"""CloudWatch: what was measured, minute by minute, in one request."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from edgewise import Millis, aws, millis
from edgewise.dynamodb.table import CONFIG
from edgewise.errors import PassingError
from edgewise.times import SECOND, from_millis

MINUTE: Millis = 60 * SECOND
# Somebody waits for the answer, which takes two requests.
_CONFIG = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 1}, connect_timeout=1, read_timeout=3))


class UnansweredError(PassingError):
    """CloudWatch did not answer, or refused the request."""


@dataclass(frozen=True)
class Metric:
    """A metric and the statistic of it that is asked for; `dimensions` are all that it was counted with."""

    namespace: str
    name: str
    dimensions: Mapping[str, str] = field(default_factory=dict, hash=False)
    statistic: str = "Sum"


# Values by the minute in which they were measured; a minute in which nothing was measured has none.
Series = Mapping[Millis, Decimal]


@cache
def client() -> Any:
    """The client."""
    return aws.client("cloudwatch", _CONFIG)


def measured(metrics: Sequence[Metric], start: Millis, end: Millis) -> list[Series]:
    """The minutes of each metric from `start` on and before `end`; at most 500 metrics. Raises UnansweredError."""
    found: list[dict[Millis, Decimal]] = [{} for _ in metrics]
    pages = (
        client()
        .get_paginator("get_metric_data")
        .paginate(
            MetricDataQueries=[_query(number, metric) for number, metric in enumerate(metrics)],
            StartTime=from_millis(start),
            EndTime=from_millis(end),
        )
    )
    with _answering():
        for result in (each for page in pages for each in page["MetricDataResults"]):
            values = zip(result["Timestamps"], result["Values"], strict=True)
            found[int(result["Id"][1:])] |= {millis(at): Decimal(repr(value)) for at, value in values}
    return list(found)


def dimension_values(namespace: str, name: str, dimension: str) -> list[str]:
    """The values of a dimension with which a metric was counted in the last three hours, sorted.

    Raises UnansweredError.
    """
    pages: Iterable[Any] = (
        client()
        .get_paginator("list_metrics")
        .paginate(Namespace=namespace, MetricName=name, Dimensions=[{"Name": dimension}], RecentlyActive="PT3H")
    )
    counted = (each for page in pages for one in page["Metrics"] for each in one["Dimensions"])
    with _answering():
        return sorted({each["Value"] for each in counted if each["Name"] == dimension})


@contextmanager
def _answering() -> Iterator[None]:
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise UnansweredError(str(error)) from error


def _query(number: int, metric: Metric) -> Mapping[str, Any]:
    dimensions = [{"Name": name, "Value": value} for name, value in metric.dimensions.items()]
    named = {"Namespace": metric.namespace, "MetricName": metric.name, "Dimensions": dimensions}
    return {
        "Id": f"m{number}",
        "MetricStat": {"Metric": named, "Period": MINUTE // SECOND, "Stat": metric.statistic},
    }
