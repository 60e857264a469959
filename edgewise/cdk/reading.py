"""How a function reads a table's stream."""

from collections.abc import Mapping
from typing import Any, Final

from aws_cdk import Duration
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import (
    EventSourceMapping,
    Function,
    MetricsConfig,
    MetricType,
    StartingPosition,
)
from constructs import Construct

from edgewise.cdk.lost_records import GivenUp, LostRecords
from edgewise.stream import windows

# Changes wait a second for each other: what is written together is one write. A shard's partition accepts no more
# writes in a second than one call brings (windows.BATCH).
BATCHING: Final = Duration.seconds(1)
# The window provides the `shardId`, and its end. The checkpoint moves when it ends, so a lost poller repeats one window
# at most. Each window costs one more call.
WINDOW: Final = Duration.seconds(windows.SECONDS)
# On an emulator somebody waits for what all shards feed, and pays nothing for calls.
WINDOW_EMULATOR: Final = Duration.seconds(2)
# A stream keeps its records for 24 hours.
MAX_AGE: Final = Duration.hours(23)
# All of them on this stream only, even ListStreams: CDK's own event source asks for no more.
RIGHTS: Final = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")


def window(*, emulator: bool) -> Duration:
    """How long the consumer's windows are."""
    return WINDOW_EMULATOR if emulator else WINDOW


def read_stream(
    scope: Construct,
    construct_id: str,
    function: Function,
    stream: str,
    lost: LostRecords,
    *,
    filters: list[Mapping[str, Any]] | None = None,
    batch_size: int = windows.BATCH,
    max_batching_window: Duration | None = BATCHING,
    tumbling_window: Duration | None = WINDOW,
) -> EventSourceMapping:
    """Let the function read the records that pass one of the filters. A shard supports at most two consumers.

    `stream`: its ARN. `lost`: where records go that no invocation took for 23 hours.
    """
    rights = PolicyStatement(actions=[f"dynamodb:{action}" for action in RIGHTS], resources=[stream])
    function.add_to_role_policy(rights)
    return EventSourceMapping(
        scope,
        construct_id,
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
        max_record_age=MAX_AGE,
        on_failure=GivenUp(lost),
        support_s3_on_failure_destination=True,
        metrics_config=MetricsConfig(metrics=[MetricType.EVENT_COUNT]),
        filters=filters,
    )
