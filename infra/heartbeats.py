"""The function that sends heartbeats through the stream: a schedule calls it, and it asks a queue for further calls."""

from typing import Final

from aws_cdk.aws_iam import PolicyStatement
from constructs import Construct

from edgewise.cdk.calls import BEATS, call_every
from functions.settings import HeartbeatSettings
from infra.functions import make_function
from infra.queue import ReadQueue
from infra.settings import InfraSettings
from infra.table import TableStack

NAME: Final = "heartbeat"
# A heartbeat that is missed is followed by the next one within seconds.
MAX_RECEIVES: Final = 1


class Heartbeats(Construct):
    """The function, its schedule, and its queue: no schedule calls more often than once a minute."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, base: TableStack) -> None:
        super().__init__(scope, construct_id)
        later = ReadQueue(self, "later", settings, reader=NAME, max_receives=MAX_RECEIVES, keeps=BEATS)
        stream = base.table.table_stream_arn
        assert stream is not None, "the table has a stream"
        environment = HeartbeatSettings(base.table.table_name, stream, later.queue.queue_url)
        self.function = function = make_function(scope, NAME, base.table, environment, settings)
        function.add_to_role_policy(PolicyStatement(actions=["dynamodb:DescribeStream"], resources=[stream]))
        later.let_send(function)
        later.feed(function)
        call_every(self, "every-minute", function, BEATS)
