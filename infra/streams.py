"""How both consumers read the table's stream, and the alarms for a consumer that can't keep up."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from aws_cdk import Duration
from aws_cdk.aws_lambda import CfnFunction, EventSourceMapping, FilterCriteria, FilterRule, Function
from constructs import Construct

from edgewise.cdk.alarms import FAILED, GIVEN_UP, INVOKED, LAG, PERIOD, SILENT, SILENT_MINUTES
from edgewise.cdk.reading import of_mapping, read_stream
from infra.alarms import AlarmTopic
from infra.last_line import GivenUp
from infra.metrics import counted
from infra.table import TableStack

# The later alarms on the age of the oldest record are for operators who missed the first.
LATER_LAGS: Final = (Duration.hours(6), Duration.hours(12))
WHAT_TO_DO: Final = "What to do: docs/operations.md"


def read_table(
    scope: Construct, base: TableStack, function: Function, filters: list[Mapping[str, Any]], **settings: Any
) -> EventSourceMapping:
    """Let the function read the records of the table that pass one of the filters; `settings`: as `read_stream`'s."""
    stream = base.table.table_stream_arn
    assert stream is not None, "the table has a stream"
    cast(CfnFunction, function.node.default_child).reserved_concurrent_executions = base.settings.reader_concurrency
    return read_stream(scope, "stream", function, stream, GivenUp(base.lost), filters=filters, **settings)


def but_for(images: Iterable[str], types: Iterable[str]) -> list[Mapping[str, Any]]:
    """The filters that pass changes of items of all types but these; each filter checks the type in one of the images.

    A record that a filter rejects is lost, and a deployment applies a changed filter some time after the functions. So
    the filter excludes only types that are known to be ignored: an older release's filter passes the types of a newer
    release (decision 26). The images are `NewImage` and `OldImage`.
    """
    wanted = {"Type": {"S": [{"anything-but": list(types)}]}}
    return [FilterCriteria.filter({"dynamodb": {image: wanted}}) for image in images]


def of_types(image: str, types: Iterable[str]) -> Mapping[str, Any]:
    """The filter that passes changes of items of these types, by this image."""
    return FilterCriteria.filter({"dynamodb": {image: {"Type": {"S": list(types)}}}})


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
    invoked = of_mapping(mapping, INVOKED).with_(period=Duration.minutes(1))
    text = f"{name}: {SILENT}. {WHAT_TO_DO}"
    alarms.watch_for_none(scope, "silent", invoked, periods=SILENT_MINUTES, because=text)
    for watch, metrics in ((alarms.watch, FAILED), (alarms.watch_always, GIVEN_UP)):
        for metric, text in metrics.items():
            watch(scope, metric, of_mapping(mapping, metric), at_least=1, because=f"{name}: {text}. {WHAT_TO_DO}")
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
