"""How both readers read the table's stream, and the alarms of each."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from aws_cdk.aws_cloudwatch import Metric
from aws_cdk.aws_lambda import CfnFunction, EventSourceMapping, FilterCriteria, FilterRule, Function
from constructs import Construct

from edgewise.cdk.alarms import of_reader
from edgewise.cdk.reading import read_stream
from infra.alarms import Alarms
from infra.table import TableStack


def read_table(
    scope: Construct, base: TableStack, function: Function, filters: list[Mapping[str, Any]], **settings: Any
) -> EventSourceMapping:
    """Let the function read the records of the table that pass one of the filters; `settings`: as `read_stream`'s."""
    stream = base.table.table_stream_arn
    assert stream is not None, "the table has a stream"
    cast(CfnFunction, function.node.default_child).reserved_concurrent_executions = base.settings.reader_concurrency
    return read_stream(scope, "stream", function, stream, base.lost, filters=filters, **settings)


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
    scope: Construct, alarms: Alarms, name: str, function: Function, mapping: EventSourceMapping, **lost: Metric
) -> None:
    """Raise alarms when the reader `name` gets nothing, or loses records, of which `lost` may tell, too."""
    for watch in of_reader(name, function, mapping, heartbeats=True, **lost):
        alarms.ring(scope, watch.name, watch.metrics)
