"""The stack of search, for a stage that has it: the bucket of its index, the queue of hints, the only writer."""

from typing import Any, Final, cast

from aws_cdk import CfnOutput, Duration
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import CfnFunction, Function
from aws_cdk.aws_lambda_event_sources import SqsEventSource
from aws_cdk.aws_sqs import DeadLetterQueue, Queue, QueueEncryption
from constructs import Construct

from edgewise.cdk.alarms import PERIOD
from functions.settings import IndexerSettings
from infra.functions import FUNCTIONS, make_function
from infra.metrics import counted
from infra.queue import let_send
from infra.search_index import IndexBucket, IndexDomain
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.table import TableStack

INDEXER: Final = "indexer"
# What it counts: things that it has read, and those among them that it can't understand.
DONE: Final = ("Indexed", "NotIndexed")
# All that wait are indexed at once, as far as one invocation takes them.
MESSAGES_PER_BATCH: Final = 10
# Nothing that a person can send makes the indexer fail: while it does, something is wrong around it, and all wait.
MAX_RECEIVES: Final = 1000
KEEPS: Final = Duration.days(14)


class SearchQueue(Construct):
    """The queue of hints: of one group, so the next batch is delivered once the indexer is through with this one."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id)
        self._emulator = settings.emulator
        shared: dict[str, Any] = {"encryption": QueueEncryption.SQS_MANAGED, "removal_policy": settings.removal_policy}
        dead = Queue(self, "dead", fifo=True, enforce_ssl=settings.tls_only, retention_period=KEEPS, **shared)
        self.queue = Queue(
            self,
            "queue",
            fifo=True,
            enforce_ssl=settings.tls_only,
            # As short as Lambda allows: so long the next batch waits when one has failed.
            visibility_timeout=Duration.seconds(FUNCTIONS[INDEXER].timeout_s),
            retention_period=KEEPS,
            dead_letter_queue=DeadLetterQueue(queue=dead, max_receive_count=MAX_RECEIVES),
            **shared,
        )
        self.given_up = dead.metric_approximate_number_of_messages_visible(period=PERIOD)

    def let_send(self, function: Function) -> None:
        """Let the function send messages."""
        let_send(self.queue, function, emulator=self._emulator)


class SearchStack(StageStack):
    """The indexer, and where it writes."""

    def __init__(
        self, scope: Construct, part: str, settings: InfraSettings, base: TableStack, hints: SearchQueue
    ) -> None:
        super().__init__(scope, part, settings)
        self.hints = hints
        self.index: IndexBucket | IndexDomain = (IndexDomain if settings.search == "opensearch" else IndexBucket)(
            self, "index", settings
        )
        environment = IndexerSettings(base.table.table_name, self.index.where, hints.queue.queue_url)
        self.indexer = function = make_function(self, INDEXER, base.table, environment, settings)
        function.add_event_source(SqsEventSource(hints.queue, batch_size=MESSAGES_PER_BATCH))
        # Each page of a rebuild asks for the next: Lambda would end that as a loop after 16. Nothing else needs this:
        # what pusher and heartbeat send to themselves sends nothing more, and loops by the table are not looked at.
        cast(CfnFunction, function.node.default_child).recursive_loop = "Allow"
        hints.let_send(function)
        self.index.let_write(function)
        scan = PolicyStatement(
            actions=["dynamodb:Scan"],
            resources=[base.table.table_arn],
            # Of the whole table, it may only learn which items there are.
            conditions={
                "ForAllValues:StringEquals": {"dynamodb:Attributes": ["PK", "SK", "Type"]},
                "StringEquals": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES"},
            },
        )
        function.add_to_role_policy(scan)
        CfnOutput(self, "SearchIndex", value=self.index.where)
        lacks = {
            "age": hints.queue.metric_approximate_age_of_oldest_message(),
            "unclear": counted(settings, "NotIndexed", INDEXER),
        }
        base.alarms.ring(self, "search-lacks", lacks)
