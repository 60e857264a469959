"""The outlet, for a stage that has it: a queue of events behind the stream's second reader, and the bus that gets them.

Whoever wants to know of changes adds rules to the bus. So nobody needs a reader of the stream, of which a shard bears
two.
"""

from typing import Final

from aws_cdk import CfnOutput, Duration
from aws_cdk.aws_events import EventBus
from constructs import Construct

from functions.settings import OutletSettings
from infra.functions import make_function
from infra.queue import ReadQueue
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.table import TableStack

SENDER: Final = "outlet"
# Lambda tries again a minute later: what fails for an hour is set aside, and the rest is not held up meanwhile.
MAX_RECEIVES: Final = 60


class EventQueue(ReadQueue):
    """A queue read by `outlet`: of changes that have happened, so nothing of it is dropped that nobody has seen."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(
            scope, construct_id, settings, reader=SENDER, max_receives=MAX_RECEIVES, keeps=Duration.days(14)
        )


class OutletStack(StageStack):
    """The bus, and the only function that may put events on it."""

    def __init__(
        self, scope: Construct, part: str, settings: InfraSettings, base: TableStack, events: EventQueue
    ) -> None:
        super().__init__(scope, part, settings)
        description = f"edgewise {settings.stage}: {', '.join(settings.outlet)}"
        bus = EventBus(self, "bus", event_bus_name=settings.prefix, description=description)
        function = make_function(self, SENDER, base.table, OutletSettings(bus.event_bus_name), settings)
        bus.grant_put_events_to(function)
        events.feed(function)
        CfnOutput(self, "EventBusName", value=bus.event_bus_name)
        CfnOutput(self, "EventsSetAsideArn", value=events.dead.queue_arn)
