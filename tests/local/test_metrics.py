"""What functions count in their logs becomes metrics, each line once."""

import json
from typing import Any

import pytest
from aws_lambda_powertools import Metrics
from aws_lambda_powertools.metrics import MetricUnit

from local import metrics
from local.metrics import Bridge, counted
from ops.local_cloud import Cloud


def line(capsys: pytest.CaptureFixture[str], **values: float) -> str:
    """What the functions' own library writes."""
    own = Metrics(namespace="Edgewise/local", service="chat")
    for name, value in values.items():
        own.add_metric(name, MetricUnit.Count, value)
    own.flush_metrics()
    return capsys.readouterr().out.strip()


class Logs:
    """A cloud's logs and metrics: two groups, of which one has lines."""

    def __init__(self) -> None:
        self.groups = ["one", "empty"]
        self.lines: list[tuple[str, str]] = []
        self.put: list[Any] = []
        self.written = float("inf")

    def get_paginator(self, operation: str) -> Any:
        self.operation = operation
        return self

    def paginate(self, **asked: Any) -> Any:
        if self.operation == "describe_log_groups":
            return [{"logGroups": [{"logGroupName": name}]} for name in self.groups]
        assert asked["filterPattern"] == '"CloudWatchMetrics"'
        found = self.lines if asked["logGroupName"] == "one" and asked["startTime"] < self.written else []
        return [{"events": [{"logStreamName": stream, "message": text} for stream, text in found]}]

    def put_metric_data(self, **told: Any) -> None:
        self.put.append(told)


@pytest.fixture
def logs(monkeypatch: pytest.MonkeyPatch) -> Logs:
    made = Logs()
    monkeypatch.setattr(Cloud, "client", lambda self, service: made)
    return made


def test_a_line_as_the_functions_write_it(capsys: pytest.CaptureFixture[str]) -> None:
    (requests,) = counted(line(capsys, Requests=3))
    assert requests.namespace == "Edgewise/local"
    assert {**requests.datum, "Timestamp": 0} == {
        "MetricName": "Requests",
        "Dimensions": [{"Name": "service", "Value": "chat"}],
        "Timestamp": 0,
        "Values": [3.0],
        "Unit": "Count",
    }


@pytest.mark.parametrize("text", ["START", "[]", "1", '{"message":"absorbed"}', '{"_aws":{}}', '{"_aws":7}'])
def test_other_lines_count_nothing(text: str) -> None:
    assert counted(text) == []


def test_each_line_is_taken_once(logs: Logs, capsys: pytest.CaptureFixture[str]) -> None:
    text = line(capsys, Requests=1, ReadUnits=0.5)
    logs.lines.append(("one invocation", text))
    bridge = Bridge(Cloud(4566))
    assert (bridge.pass_on(), bridge.pass_on()) == (2, 0)
    logs.lines.append(("another invocation", text))
    assert bridge.pass_on() == 2
    assert [len(each["MetricData"]) for each in logs.put] == [2, 2]


def test_the_first_lines_of_a_new_group_are_taken_when_the_groups_are_listed(
    logs: Logs, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.groups = ["empty"]
    bridge = Bridge(Cloud(4566))
    assert bridge.pass_on() == 0
    logs.groups, logs.written = ["one", "empty"], 1
    logs.lines.append(("one invocation", line(capsys, Requests=1)))
    assert sum(bridge.pass_on() for _ in range(metrics._LIST_PASSES)) == 1


def test_no_request_is_too_large(
    logs: Logs, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "_AT_ONCE", 3)
    logs.lines = [(f"{number}", json.dumps(json.loads(line(capsys, Requests=number)))) for number in range(7)]
    Bridge(Cloud(4566)).pass_on()
    assert [len(each["MetricData"]) for each in logs.put] == [3, 3, 1]
