"""The queue for messages of devices, and the dead-letter queue for messages that can't be ingested."""

from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_lambda_event_sources import SqsEventSource
from aws_cdk.aws_sqs import DeadLetterQueue, Queue, QueueEncryption
from constructs import Construct

from infra.alarms import AlarmTopic
from infra.functions import FUNCTIONS
from infra.metrics import PERIOD
from infra.settings import InfraSettings

MAX_RECEIVES: Final = 5
# A message that can't be ingested moves to the dead-letter queue within five minutes, so an older one still waits.
LATE: Final = Duration.minutes(10)
MESSAGES_PER_BATCH: Final = 10  # each message is a request body of up to 500 events


class TelemetryQueue(Construct):
    """A queue read by `telemetry`; a message that fails five times is kept for two weeks and raises an alarm."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, alarms: AlarmTopic) -> None:
        super().__init__(scope, construct_id)
        self._concurrency = settings.queue_concurrency
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
            # Lambda recommends six times the function's timeout, so that it can retry when the function is throttled.
            visibility_timeout=Duration.seconds(6 * FUNCTIONS["telemetry"].timeout_s),
            retention_period=Duration.days(4),
            dead_letter_queue=DeadLetterQueue(queue=dead, max_receive_count=MAX_RECEIVES),
            removal_policy=settings.removal_policy,
        )
        waiting = dead.metric_approximate_number_of_messages_visible(period=PERIOD)
        alarms.watch_always(
            self, "dead-letters", waiting, at_least=1, because="telemetry messages could not be ingested"
        )
        self.age = self.queue.metric_approximate_age_of_oldest_message(period=PERIOD, statistic="Maximum")
        text = "telemetry messages wait for ten minutes"
        alarms.watch(self, "oldest", self.age, at_least=LATE.to_seconds(), because=text)

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
