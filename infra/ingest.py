"""The queue for messages of devices, and the dead-letter queue for messages that can't be ingested."""

from typing import Final

from aws_cdk import Duration
from constructs import Construct

from edgewise.cdk.alarms import PERIOD
from infra.alarms import AlarmTopic
from infra.queue import ReadQueue
from infra.settings import InfraSettings

MAX_RECEIVES: Final = 5
# A message that can't be ingested moves to the dead-letter queue within five minutes, so an older one still waits.
LATE: Final = Duration.minutes(10)


class TelemetryQueue(ReadQueue):
    """A queue read by `telemetry`, each message a request body of up to 500 events; one given up raises an alarm."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, alarms: AlarmTopic) -> None:
        super().__init__(
            scope, construct_id, settings, reader="telemetry", max_receives=MAX_RECEIVES, keeps=Duration.days(4)
        )
        alarms.watch_always(
            self, "dead-letters", self.given_up, at_least=1, because="telemetry messages could not be ingested"
        )
        self.age = self.queue.metric_approximate_age_of_oldest_message(period=PERIOD, statistic="Maximum")
        text = "telemetry messages wait for ten minutes"
        alarms.watch(self, "oldest", self.age, at_least=LATE.to_seconds(), because=text)
