"""CloudWatch in memory: what a test lets functions have counted. (moto knows no percentiles.)"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from edgewise.times import Millis, from_millis, millis
from functions import cloudwatch
from functions.systems.operations import overview


@dataclass
class Measurements:
    """A client of CloudWatch. `asked` counts the requests; while it is `down`, it answers none."""

    points: list[tuple[str, str, Mapping[str, str], Millis, float]] = field(default_factory=list)
    asked: int = 0
    down: bool = False

    def count(self, namespace: str, name: str, value: float, at: Millis, **dimensions: str) -> None:
        """Let a function have counted something."""
        self.points.append((namespace, name, dimensions, at, value))

    def get_paginator(self, operation: str) -> Any:
        """As botocore's: a page at a time."""
        return _Pages(self, operation)


@dataclass
class _Pages:
    of: Measurements
    operation: str

    def paginate(self, **request: Any) -> Iterator[Any]:
        self.of.asked += 1
        if self.of.down:
            raise EndpointConnectionError(endpoint_url="https://monitoring.example")
        yield getattr(self, self.operation)(**request)

    def get_metric_data(self, MetricDataQueries: list[Any], StartTime: datetime, EndTime: datetime) -> Any:
        span = range(millis(StartTime), millis(EndTime))
        return {"MetricDataResults": [self._result(query, span) for query in MetricDataQueries]}

    def list_metrics(self, Namespace: str, MetricName: str, Dimensions: list[Any], RecentlyActive: str) -> Any:
        wanted = {each["Name"] for each in Dimensions}
        of = [
            each for *named, each, _, _ in self.of.points if named == [Namespace, MetricName] and wanted <= each.keys()
        ]
        return {"Metrics": [{"Dimensions": [{"Name": k, "Value": v} for k, v in each.items()]} for each in of]}

    def _result(self, query: Any, span: range) -> Any:
        stat = query["MetricStat"]
        metric, period = stat["Metric"], stat["Period"] * 1000
        dimensions = {each["Name"]: each["Value"] for each in metric["Dimensions"]}
        minutes: dict[Millis, list[float]] = {}
        for *named, at, value in self.of.points:
            if named == [metric["Namespace"], metric["MetricName"], dimensions] and at in span:
                minutes.setdefault(at // period * period, []).append(value)
        values = [_statistic(stat["Stat"], each) for each in minutes.values()]
        return {"Id": query["Id"], "Timestamps": list(map(from_millis, minutes)), "Values": values}


def _statistic(name: str, values: list[float]) -> float:
    if name == "Sum":
        return sum(values)
    rank = 1.0 if name == "Maximum" else float(name[1:]) / 100
    return sorted(values)[round(rank * (len(values) - 1))]


@pytest.fixture(autouse=True)
def measurements() -> Iterator[Measurements]:
    """CloudWatch for every test: no function may ask AWS.

    It has patches of its own: with pytest's, those would be undone after what other fixtures patch.
    """
    found = Measurements()
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(cloudwatch, "client", lambda: found)
        for name in ("TABLE_NAME", "CURSOR_SECRET_ARN", "CONSUMER", "CASCADE"):
            patches.setenv(name, f"the-{name.lower()}")
        for cached in (overview.settings, overview.measured_hour):
            cached.cache_clear()
        yield found
        for cached in (overview.settings, overview.measured_hour):
            cached.cache_clear()
