"""The requests to CloudWatch, on an engine that is not ours."""

from decimal import Decimal
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from moto import mock_aws

from edgewise import aws, clock
from edgewise.times import from_millis
from functions import cloudwatch
from functions.cloudwatch import MINUTE, Metric, UnansweredError

NOW = 1_795_436_940_000


@pytest.fixture(autouse=True)
def client(aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> Any:
    with mock_aws():
        monkeypatch.setattr(cloudwatch, "client", lambda: aws.client("cloudwatch"))
        yield boto3.client("cloudwatch")


def put(client: Any, name: str, value: float, at: int = NOW - MINUTE, **dimensions: str) -> None:
    told = [{"Name": key, "Value": each} for key, each in dimensions.items()]
    datum = {"MetricName": name, "Dimensions": told, "Timestamp": from_millis(at), "Value": value}
    client.put_metric_data(Namespace="Ours", MetricData=[datum])


def test_sums_by_the_minute(client: Any) -> None:
    for value, at in ((1, NOW - 2 * MINUTE), (2.5, NOW - MINUTE), (4, NOW - MINUTE + 1000), (9, NOW)):
        put(client, "Units", value, at, service="chat")
    put(client, "Units", 100, service="graph")
    wanted = [Metric("Ours", "Units", {"service": "chat"}), Metric("Ours", "Units", {"service": "nobody"})]
    units, nothing = cloudwatch.measured(wanted, NOW - 10 * MINUTE, NOW)
    assert (units, nothing) == ({NOW - 2 * MINUTE: Decimal(1), NOW - MINUTE: Decimal("6.5")}, {})


def test_the_greatest_of_a_minute(client: Any) -> None:
    for value in (3, 7, 5):
        put(client, "Age", value)
    (ages,) = cloudwatch.measured([Metric("Ours", "Age", statistic="Maximum")], NOW - MINUTE, NOW)
    assert ages == {NOW - MINUTE: Decimal(7)}


def test_the_values_of_a_dimension(client: Any) -> None:
    now = clock.now()
    for shard in ("b", "a", "b"):
        put(client, "Age", 1, now, service="reader", shard=shard)
    put(client, "Age", 1, now, service="reader")
    assert cloudwatch.dimension_values("Ours", "Age", "shard") == ["a", "b"]


@pytest.mark.parametrize("error", [EndpointConnectionError(endpoint_url="x"), ClientError({}, "GetMetricData")])
def test_whoever_asks_is_told_that_there_is_no_answer(client: Any, error: Exception) -> None:
    class Down:
        def get_paginator(self, _: str) -> Any:
            return self

        def paginate(self, **_: Any) -> Any:
            raise error
            yield

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(cloudwatch, "client", Down)
        with pytest.raises(UnansweredError):
            cloudwatch.measured([], NOW - MINUTE, NOW)
        with pytest.raises(UnansweredError):
            cloudwatch.dimension_values("Ours", "Age", "shard")
