"""The alarms for a reader of a stream that fails, falls behind, or gives records up."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from aws_cdk import Duration
from aws_cdk.aws_cloudwatch import Alarm, ComparisonOperator, IMetric, Metric, TreatMissingData
from aws_cdk.aws_cloudwatch_actions import SnsAction
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sns import ITopic
from constructs import Construct

PERIOD: Final = Duration.minutes(5)
# The age of the oldest record at which the alarm rings: a passing throttle is over by then.
LAG: Final = Duration.minutes(15)
# Lambda counts it for a mapping: records for which it invoked the function. Where heartbeats come through the stream,
# there are some in every minute. Of a mapping that is switched off nothing else tells: other metrics need records.
INVOKED: Final = "InvokedEventCount"
SILENT_MINUTES: Final = 5
SILENT: Final = f"no record has come for {SILENT_MINUTES} minutes: the mapping is off, or heartbeats are"
# Lambda's metrics of a mapping, and the meaning of a value above zero.
FAILED: Final = {"FailedInvokeEventCount": "Lambda could not invoke the function, or the function failed"}
GIVEN_UP: Final = {
    "DroppedEventCount": "records were given up",
    "OnFailureDestinationDeliveredEventCount": "records were given up, and put into the bucket",
}


class Watch(NamedTuple):
    """An alarm: it rings when one period's value reaches `at_least` (in the metric's own unit)."""

    name: str
    metric: IMetric
    at_least: float
    because: str


def ring(scope: Construct, watch: Watch, topic: ITopic) -> Alarm:
    """Raise the alarm."""
    alarm = Alarm(
        scope,
        watch.name,
        alarm_description=watch.because,
        metric=watch.metric,
        threshold=watch.at_least,
        evaluation_periods=1,
        comparison_operator=ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treat_missing_data=TreatMissingData.NOT_BREACHING,
    )
    alarm.add_alarm_action(SnsAction(topic))
    return alarm


def ring_for_none(scope: Construct, name: str, metric: IMetric, topic: ITopic, *, periods: int, because: str) -> Alarm:
    """Raise the alarm `name` when a sum is below 1, or not there, in each of so many periods one after the other.

    CloudWatch looks back for a day at most, or for seven if a period takes an hour or more.
    """
    alarm = Alarm(
        scope,
        name,
        alarm_description=because,
        metric=metric,
        threshold=1,
        evaluation_periods=periods,
        comparison_operator=ComparisonOperator.LESS_THAN_THRESHOLD,
        treat_missing_data=TreatMissingData.BREACHING,
    )
    alarm.add_alarm_action(SnsAction(topic))
    return alarm


def of_function(function: Function) -> Iterator[Watch]:
    """When the function fails, may not run, or is behind; and when the bucket for what it gave up takes nothing."""
    yield Watch("errors", function.metric_errors(period=PERIOD), 1, "the function raised or timed out")
    yield Watch("throttles", function.metric_throttles(period=PERIOD), 1, "no concurrency is left")
    age = function.metric("IteratorAge", statistic="Maximum", period=PERIOD)
    because = f"aggregates are behind by {LAG.to_human_string()}: after 23 hours changes are lost"
    yield Watch("iterator-age", age, LAG.to_milliseconds(), because)
    undelivered = function.metric("DestinationDeliveryFailures", statistic="Sum", period=PERIOD)
    yield Watch("undelivered", undelivered, 1, "records were given up, and the bucket did not take them")


def of_aggregates(namespace: str, service: str) -> Iterator[Watch]:
    """What the function itself reports; the level of the quarantine is told once an hour."""
    told = {
        "QuarantinedRecords": ("Sum", PERIOD, "records could not be understood"),
        "QuarantineLevel": ("Maximum", Duration.hours(2), "records are still in quarantine"),
        "IncompleteAggregates": ("Sum", PERIOD, "aggregates lack something: repair them"),
    }
    for name, (statistic, period, because) in told.items():
        metric = Metric(
            namespace=namespace,
            metric_name=name,
            dimensions_map={"service": service},
            statistic=statistic,
            period=period,
        )
        yield Watch(name, metric, 1, because)
