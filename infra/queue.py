"""A queue that a function reads, and beside it the dead-letter queue of what the function can't do."""

from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_lambda_event_sources import SqsEventSource
from aws_cdk.aws_sqs import DeadLetterQueue, Queue, QueueEncryption
from constructs import Construct

from edgewise.cdk.alarms import PERIOD
from infra.functions import FUNCTIONS
from infra.settings import InfraSettings

MESSAGES_PER_BATCH: Final = 10


class ReadQueue(Construct):
    """A queue whose messages `reader` receives; one that fails `max_receives` times is kept for two weeks.

    `keeps`: how long a message waits that nobody receives. `given_up`: how many messages have failed so often, or were
    put into the dead-letter queue `dead` by others. `age`: how old the oldest one is that waits.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: InfraSettings,
        *,
        reader: str,
        max_receives: int,
        keeps: Duration,
    ) -> None:
        super().__init__(scope, construct_id)
        self._concurrency, self._emulator = settings.queue_concurrency, settings.emulator
        self.dead = dead = Queue(
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
            # Lambda recommends six times the function's timeout, so that it can retry when the function is throttled.
            visibility_timeout=Duration.seconds(6 * FUNCTIONS[reader].timeout_s),
            retention_period=keeps,
            dead_letter_queue=DeadLetterQueue(queue=dead, max_receive_count=max_receives),
            removal_policy=settings.removal_policy,
        )
        self.given_up = dead.metric_approximate_number_of_messages_visible(period=PERIOD)
        self.age = self.queue.metric_approximate_age_of_oldest_message(period=PERIOD, statistic="Maximum")

    def feed(self, function: Function) -> None:
        """Let the function receive messages; only messages that it reports as failed return to the queue.

        Few batches are processed at once, so a long queue leaves the invocations that the stream's readers need.
        """
        source = SqsEventSource(
            self.queue,
            batch_size=MESSAGES_PER_BATCH,
            report_batch_item_failures=True,
            max_concurrency=self._concurrency,
        )
        function.add_event_source(source)

    def let_send(self, function: Function) -> None:
        """Let the function send messages."""
        let_send(self.queue, function, emulator=self._emulator)


def let_send(queue: Queue, function: Function, *, emulator: bool) -> None:
    """Let the function send messages to a queue."""
    queue.grant_send_messages(function)
    if emulator:
        # It wants a right to batches, which on AWS is the same as that to messages.
        batches = PolicyStatement(actions=["sqs:SendMessageBatch"], resources=[queue.queue_arn])
        function.add_to_role_policy(batches)
