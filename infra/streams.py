"""How both consumers read the table's stream, and the alarms for a consumer that can't keep up."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from aws_cdk import Duration
from aws_cdk.aws_cloudwatch import Metric
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import (
    CfnFunction,
    EventSourceMapping,
    FilterCriteria,
    FilterRule,
    Function,
    MetricsConfig,
    MetricType,
    StartingPosition,
)
from constructs import Construct

from infra.alarms import AlarmTopic
from infra.last_line import MAX_AGE, GivenUp
from infra.metrics import PERIOD, counted
from infra.table import TableStack

# The age of the oldest record at which the alarm rings: a passing throttle is over by then. The later alarms are for
# operators who missed the first. A stream keeps its records for 24 hours.
LAG: Final = Duration.minutes(15)
LATER_LAGS: Final = (Duration.hours(6), Duration.hours(12))
# Lambda's metrics of a mapping, and the meaning of a value above zero.
FAILED: Final = {"FailedInvokeEventCount": "Lambda could not invoke the function, or the function failed"}
GIVEN_UP: Final = {
    "DroppedEventCount": "records were given up",
    "OnFailureDestinationDeliveredEventCount": "records were given up, and put into the bucket",
}
WHAT_TO_DO: Final = "What to do: docs/operations.md"
# All of them on this stream only, even ListStreams: CDK's own event source asks for no more.
STREAM_RIGHTS: Final = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")


def read_stream(
    scope: Construct,
    base: TableStack,
    function: Function,
    filters: list[Mapping[str, Any]],
    *,
    batch_size: int,
    max_batching_window: Duration | None = None,
    tumbling_window: Duration | None = None,
) -> EventSourceMapping:
    """Let the function read the records that pass one of the filters. A shard supports at most two consumers."""
    stream = base.table.table_stream_arn
    assert stream is not None, "the table has a stream"
    rights = PolicyStatement(actions=[f"dynamodb:{action}" for action in STREAM_RIGHTS], resources=[stream])
    function.add_to_role_policy(rights)
    cast(CfnFunction, function.node.default_child).reserved_concurrent_executions = base.settings.reader_concurrency
    return EventSourceMapping(
        scope,
        "stream",
        target=function,
        event_source_arn=stream,
        # LATEST can miss records that are written while the mapping is being created.
        starting_position=StartingPosition.TRIM_HORIZON,
        batch_size=batch_size,
        max_batching_window=max_batching_window,
        tumbling_window=tumbling_window,
        parallelization_factor=1,
        # Whole batches are retried for as long as the stream has the records. Records that can't be decoded go to
        # quarantine, so a failure is an outage or a throttle, which half a batch (bisecting) would meet more often.
        retry_attempts=-1,
        max_record_age=MAX_AGE if base.lost else None,
        on_failure=GivenUp(base.lost) if base.lost else None,
        support_s3_on_failure_destination=True,
        metrics_config=MetricsConfig(metrics=[MetricType.EVENT_COUNT]),
        filters=filters,
    )


def but_for(images: Iterable[str], types: Iterable[str]) -> list[Mapping[str, Any]]:
    """The filters that pass changes of items of all types but these; each filter checks the type in one of the images.

    A record that a filter rejects is lost, and a deployment applies a changed filter some time after the functions. So
    the filter excludes only types that are known to be ignored: an older release's filter passes the types of a newer
    release (decision 26). The images are `NewImage` and `OldImage`.
    """
    wanted = {"Type": {"S": [{"anything-but": list(types)}]}}
    return [FilterCriteria.filter({"dynamodb": {image: wanted}}) for image in images]


def having(image: str, text: str) -> Mapping[str, Any]:
    """The filter that passes changes of items that have a text attribute of this name in this image."""
    return FilterCriteria.filter({"dynamodb": {image: {text: {"S": FilterRule.exists()}}}})


def watch_reader(
    scope: Construct, base: TableStack, name: str, function: Function, mapping: EventSourceMapping, because: str
) -> None:
    """Raise alarms when the function `name` fails, falls behind, quarantines records or loses some."""
    alarms = base.alarms
    alarms.watch_function(scope, name, function)
    _watch_age(scope, alarms, function, because)
    for watch, metrics in ((alarms.watch, FAILED), (alarms.watch_always, GIVEN_UP)):
        for metric, text in metrics.items():
            watch(scope, metric, _of_mapping(mapping, metric), at_least=1, because=f"{name}: {text}. {WHAT_TO_DO}")
    if base.lost:
        undelivered = function.metric("DestinationDeliveryFailures", statistic="Sum", period=PERIOD)
        text = f"{name}: records were given up, and the bucket did not take them. {WHAT_TO_DO}"
        alarms.watch_always(scope, "undelivered", undelivered, at_least=1, because=text)
    # For each new record. On every stage, another alarm tells while records are in quarantine.
    found = counted(base.settings, "QuarantinedRecords", name)
    alarms.watch(scope, "quarantine", found, at_least=1, because="records could not be understood")


def _watch_age(scope: Construct, alarms: AlarmTopic, function: Function, because: str) -> None:
    """Raise alarms when the stream's oldest record has waited too long for the function."""
    age = function.metric("IteratorAge", statistic="Maximum", period=PERIOD)
    for watch, lags in ((alarms.watch_always, (LAG,)), (alarms.watch, LATER_LAGS)):
        for lag in lags:
            text = f"{because} by {lag.to_human_string()}: after 23 hours changes are lost. {WHAT_TO_DO}"
            watch(scope, f"iterator-age-{lag.to_minutes()}", age, at_least=lag.to_milliseconds(), because=text)


def _of_mapping(mapping: EventSourceMapping, metric: str) -> Metric:
    """A metric that Lambda counts for an event source mapping, per period."""
    return Metric(
        namespace="AWS/Lambda",
        metric_name=metric,
        dimensions_map={"EventSourceMappingUUID": mapping.event_source_mapping_id},
        statistic="Sum",
        period=PERIOD,
    )
