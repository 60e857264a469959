"""The queue of notices, from the stream's second reader to the function that sends to subscribers."""

from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_lambda_event_sources import SqsEventSource
from aws_cdk.aws_sqs import DeadLetterQueue, Queue, QueueEncryption
from constructs import Construct

from infra.alarms import AlarmTopic
from infra.functions import FUNCTIONS
from infra.metrics import PERIOD
from infra.settings import InfraSettings

SENDER: Final = "pusher"
# A notice that fails is tried three times; whoever missed it reads the same when the client reads again.
MAX_RECEIVES: Final = 3
NOTICES_PER_BATCH: Final = 10


class NoticeQueue(Construct):
    """A queue read by `pusher`. Notices are worth nothing after a few minutes: clients have read what they say."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, alarms: AlarmTopic) -> None:
        super().__init__(scope, construct_id)
        self._concurrency, self._emulator = settings.queue_concurrency, settings.emulator
        dead = Queue(
            self,
            "dead",
            encryption=QueueEncryption.SQS_MANAGED,
            enforce_ssl=settings.tls_only,
            retention_period=Duration.days(14),
            removal_policy=settings.removal_policy,
        )
        self.queue = Queue(
            self,
            "queue",
            encryption=QueueEncryption.SQS_MANAGED,
            enforce_ssl=settings.tls_only,
            visibility_timeout=Duration.seconds(6 * FUNCTIONS[SENDER].timeout_s),
            retention_period=Duration.minutes(10),
            dead_letter_queue=DeadLetterQueue(queue=dead, max_receive_count=MAX_RECEIVES),
            removal_policy=settings.removal_policy,
        )
        waiting = dead.metric_approximate_number_of_messages_visible(period=PERIOD)
        alarms.watch(self, "dead-letters", waiting, at_least=1, because="subscribers could not be told of changes")

    def let_send(self, function: Function) -> None:
        """Let the function pass notices on."""
        self.queue.grant_send_messages(function)
        if self._emulator:
            # It wants a right to batches, which on AWS is the same as that to messages.
            batches = PolicyStatement(actions=["sqs:SendMessageBatch"], resources=[self.queue.queue_arn])
            function.add_to_role_policy(batches)

    def feed(self, function: Function) -> None:
        """Let the function receive notices; only those that it reports as failed return to the queue."""
        source = SqsEventSource(
            self.queue,
            batch_size=NOTICES_PER_BATCH,
            report_batch_item_failures=True,
            max_concurrency=self._concurrency,
        )
        function.add_event_source(source)
