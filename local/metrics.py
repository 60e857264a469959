"""CloudWatch's metrics on the local cloud: the emulator leaves in the logs what functions count there (EMF).

On AWS, CloudWatch makes metrics of such lines itself.
"""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from botocore.exceptions import BotoCoreError, ClientError

from ops.local_cloud import Cloud

POLL_SECONDS = 3
# To list the groups, the emulator counts the letters of all their lines: so that is done once in so many passes.
_LIST_PASSES = 10
# A line that counts something has this name, and no other line does.
_MARK = "CloudWatchMetrics"
_AT_ONCE = 500
# A line can be found a little after the time that it bears.
_OVERLAP_MS = 5_000


class Counted(NamedTuple):
    """A metric that a function has counted, as PutMetricData takes it."""

    namespace: str
    datum: Mapping[str, Any]


@dataclass
class Bridge:
    """Makes metrics of what the functions of a cloud have counted in their logs, of each line once."""

    cloud: Cloud
    _since: dict[str, int] = field(default_factory=dict)
    _known: set[tuple[str, str]] = field(default_factory=set)
    _passes: int = 0

    def pass_on(self) -> int:
        """Take the lines that are new; returns how many metrics they had. Raises ClientError, BotoCoreError."""
        if self._passes % _LIST_PASSES == 0:
            groups = self._logs.get_paginator("describe_log_groups").paginate()
            names = {group["logGroupName"] for page in groups for group in page["logGroups"]}
            self._since = {name: self._since.get(name, 0) for name in names}
        began = int(time.time() * 1000)
        found = {(event["logStreamName"], event["message"]) for name in self._since for event in self._events(name)}
        metrics = [each for _, line in sorted(found - self._known) for each in counted(line)]
        for namespace in {each.namespace for each in metrics}:
            self._put(namespace, [each.datum for each in metrics if each.namespace == namespace])
        self._known, self._since = found, dict.fromkeys(self._since, began - _OVERLAP_MS)
        self._passes += 1
        return len(metrics)

    def _put(self, namespace: str, data: list[Mapping[str, Any]]) -> None:
        client = self.cloud.client("cloudwatch")
        for start in range(0, len(data), _AT_ONCE):
            client.put_metric_data(Namespace=namespace, MetricData=data[start : start + _AT_ONCE])

    def _events(self, group: str) -> Iterator[Any]:
        told = {"logGroupName": group, "startTime": self._since[group], "filterPattern": f'"{_MARK}"'}
        for page in self._logs.get_paginator("filter_log_events").paginate(**told):
            yield from page["events"]

    @cached_property
    def _logs(self) -> Any:
        return self.cloud.client("logs")


def counted(line: str) -> list[Counted]:
    """What a line of a log counts; nothing if it is of another form."""
    with suppress(ValueError, KeyError, TypeError):
        told = json.loads(line)
        return [
            Counted(directive["Namespace"], _datum(told, metric, names))
            for directive in told["_aws"][_MARK]
            for names in directive["Dimensions"]
            for metric in directive["Metrics"]
        ]
    return []


def follow(cloud: Cloud) -> None:
    """Take what is new again and again; the cloud may be stopped meanwhile."""
    bridge = Bridge(cloud)
    while True:
        with suppress(BotoCoreError, ClientError):
            bridge.pass_on()
        time.sleep(POLL_SECONDS)


def _datum(told: Mapping[str, Any], metric: Mapping[str, str], names: list[str]) -> Mapping[str, Any]:
    values = told[metric["Name"]]
    return {
        "MetricName": metric["Name"],
        "Dimensions": [{"Name": name, "Value": told[name]} for name in names],
        "Timestamp": told["_aws"]["Timestamp"] / 1000,
        "Values": values if isinstance(values, list) else [values],
        "Unit": metric["Unit"],
    }
