"""The queue for messages of devices, and the dead-letter queue for messages that can't be ingested."""

from typing import Final

from aws_cdk import Duration
from constructs import Construct

from edgewise.cdk.alarms import PERIOD
from infra.alarms import Alarms
from infra.queue import ReadQueue
from infra.settings import InfraSettings

MAX_RECEIVES: Final = 5


class TelemetryQueue(ReadQueue):
    """A queue read by `telemetry`, each message a request body of up to 500 events; one given up raises an alarm."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, alarms: Alarms) -> None:
        super().__init__(
            scope, construct_id, settings, reader="telemetry", max_receives=MAX_RECEIVES, keeps=Duration.days(4)
        )
        alarms.ring(self, "telemetry-given-up", {"given_up": self.given_up})
        self.age = self.queue.metric_approximate_age_of_oldest_message(period=PERIOD, statistic="Maximum")
        alarms.ring(self, "telemetry-waits", {"age": self.age})
