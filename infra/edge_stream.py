"""The stack that keeps edges and their aggregates: the table's stream, read by `edge_aggregator`."""

from collections.abc import Mapping
from typing import Any, Final

from aws_cdk import Duration, Stack
from aws_cdk.aws_cloudwatch import Metric
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import (
    EventSourceMapping,
    FilterCriteria,
    FilterRule,
    StartingPosition,
)
from constructs import Construct

from functions.domain.catalog import SOURCE_TYPES
from infra.alarms import PERIOD
from infra.functions import METRICS_NAMESPACE, make_function
from infra.settings import InfraSettings
from infra.table import TableStack

NAME: Final = "edge_aggregator"
# A window only for the `shardId` that comes with it. The checkpoint moves when a window ends, so a lost poller
# repeats one window at most: ten batches at a shard's full rate. Each window costs one more call: a tenth then.
WINDOW: Final = Duration.seconds(10)
# What a reader may wait for; each further record of the same aggregate within it costs no write.
BATCHING: Final = Duration.seconds(1)
BATCH: Final = 1000
# No passing throttle any more, and most of the 24 hours that a stream keeps its records are left to act.
LAG: Final = Duration.minutes(15)
# All on the stream itself: Lambda asks for ListStreams too, but on this one only.
STREAM_RIGHTS: Final = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")


class EdgeStreamStack(Stack):
    """The consumer, its mapping and its alarms."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, base: TableStack) -> None:
        super().__init__(scope, construct_id, termination_protection=settings.production)
        self._base = base
        self._function = make_function(self, NAME, base.table, settings.consumer(base.table.table_name), settings)
        self._read_stream()
        base.alarms.watch_function(self, NAME, self._function)
        self._watch_lag()
        self._watch_quarantine()

    def _read_stream(self) -> None:
        stream = self._base.table.table_stream_arn
        assert stream is not None, "the table has a stream"
        rights = PolicyStatement(actions=[f"dynamodb:{action}" for action in STREAM_RIGHTS], resources=[stream])
        self._function.add_to_role_policy(rights)
        EventSourceMapping(
            self,
            "stream",
            target=self._function,
            event_source_arn=stream,
            # LATEST can miss what is written while the mapping is being created.
            starting_position=StartingPosition.TRIM_HORIZON,
            batch_size=BATCH,
            max_batching_window=BATCHING,
            tumbling_window=WINDOW,
            parallelization_factor=1,  # one lane for each shard: the marks depend on it
            # For ever, and whole batches: what the consumer can't understand it puts into quarantine, so what
            # fails is an outage or a throttle, and halves (bisecting) would only meet it more often.
            retry_attempts=-1,
            filters=_filters(),
        )

    def _watch_lag(self) -> None:
        behind = self._function.metric("IteratorAge", statistic="Maximum", period=PERIOD)
        limit = LAG.to_milliseconds()
        self._base.alarms.watch(self, "iterator-age", behind, at_least=limit, because="aggregates are behind")

    def _watch_quarantine(self) -> None:
        found = Metric(
            namespace=METRICS_NAMESPACE,
            metric_name="QuarantinedRecords",
            dimensions_map={"service": NAME},
            statistic="Sum",
            period=PERIOD,
        )
        self._base.alarms.watch(self, "quarantine", found, at_least=1, because="records could not be understood")


def _filters() -> list[Mapping[str, Any]]:
    """Sources only, new or old: what the consumer itself writes in the last rank never comes back to it."""
    wanted = {"Type": {"S": FilterRule.or_(*SOURCE_TYPES)}}
    return [FilterCriteria.filter({"dynamodb": {image: wanted}}) for image in ("NewImage", "OldImage")]
