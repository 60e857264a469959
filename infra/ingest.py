"""The queue for messages of devices, and the dead-letter queue for messages that can't be ingested."""

from collections.abc import Callable
from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_cloudwatch import Metric
from constructs import Construct

from edgewise.cdk.alarms import Rule
from infra.alarms import Alarms
from infra.queue import ReadQueue
from infra.settings import InfraSettings
from infra.watches import WATCHES, given_up_also_outside, waits_also_outside

MAX_RECEIVES: Final = 5


class TelemetryQueue(ReadQueue):
    """A queue read by `telemetry`, each message a request body of up to 500 events; one given up raises an alarm.

    `events`: the queue of the stage's outlet, of which the same alarms tell; None: there is none.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: InfraSettings,
        alarms: Alarms,
        events: ReadQueue | None = None,
    ) -> None:
        super().__init__(
            scope, construct_id, settings, reader="telemetry", max_receives=MAX_RECEIVES, keeps=Duration.days(4)
        )

        def ring(name: str, of: Callable[[ReadQueue], Metric], with_events: Callable[[Rule], Rule]) -> None:
            own = {"own": of(self)}
            if events:
                alarms.ring(self, name, {**own, "outlet": of(events)}, with_events(WATCHES[name].rule))
            else:
                alarms.ring(self, name, own)

        ring("telemetry-given-up", lambda queue: queue.given_up, given_up_also_outside)
        ring("telemetry-waits", lambda queue: queue.age, waits_also_outside)
