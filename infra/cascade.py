"""The stack of the stream's second reader, `cascade`: it completes follow-ups, and passes on what subscribers want."""

from collections.abc import Mapping
from typing import Final

from aws_cdk.aws_lambda import Function
from constructs import Construct

from edgewise.aggregates.rankings.codec import REFILLING
from edgewise.aggregates.recounts.attributes import RECOUNTING
from edgewise.cdk.alarms import age
from functions.catalog import FOLLOW_UPS, OUTLETS, TOPICS, WATCHED
from functions.settings import NO_OUTLET, NO_PUSH, NO_SEARCH, CascadeSettings
from infra import edge_stream
from infra.alerts import AlertTopic
from infra.functions import make_function
from infra.metrics import counted
from infra.notices import NoticeQueue
from infra.outlet import EventQueue
from infra.search import SearchQueue
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.streams import but_for, having, of_types, read_table, watch_reader
from infra.table import TableStack

NAME: Final = "cascade"
# One change may require thousands of writes, and a batch must end within the function's time.
BATCH: Final = 10
# News are far more, and take no writes. Follow-ups that a batch has no time for go on when it is delivered again.
# Lambda's own default for streams, without a batching window, by which subscribers would wait longer.
BATCH_WITH_NEWS: Final = 100


class CascadeStack(StageStack):
    """The stream's second reader, its mapping and its alarms, and those of both readers; `consumer` is the first."""

    def __init__(
        self, scope: Construct, part: str, settings: InfraSettings, base: TableStack, consumer: Function
    ) -> None:
        super().__init__(scope, part, settings)
        self.notices = NoticeQueue(self, "notices", settings) if settings.push else None
        url = self.notices.queue.queue_url if self.notices else NO_PUSH
        self.hints = SearchQueue(self, "hints", settings) if settings.search else None
        hints = self.hints.queue.queue_url if self.hints else NO_SEARCH
        self.events = EventQueue(self, "events", settings) if settings.outlet else None
        events = self.events.queue.queue_url if self.events else NO_OUTLET
        alerts = AlertTopic(self, "alerts", settings)
        environment = CascadeSettings(
            base.table.table_name,
            push_queue_url=url,
            alert_topic_arn=alerts.topic_arn,
            search_queue_url=hints,
            outlet_queue_url=events,
            outlet=",".join(settings.outlet) or NO_OUTLET,
            writes=settings.writes,
        )
        self.reader = function = make_function(self, NAME, base.table, environment, settings)
        alerts.let_tell(function)
        for queue in (self.notices, self.hints, self.events):
            if queue:
                queue.let_send(function)
        by_name = [having("NewImage", name) for name in (RECOUNTING, REFILLING)]
        news = OUTLETS.types(settings.outlet)
        news |= (TOPICS.types if settings.push else frozenset()) | (WATCHED.types if settings.search else frozenset())
        images = ["NewImage", "OldImage"] if news else ["NewImage"]
        undelivered = [each for each in FOLLOW_UPS.undelivered_types if each not in news]
        filters = [*but_for(images, undelivered), *by_name, of_types("OldImage", FOLLOW_UPS.types_that_go)]
        batch = BATCH_WITH_NEWS if news else BATCH
        mapping = read_table(
            self, base, function, filters, batch_size=batch, max_batching_window=None, tumbling_window=None
        )
        watch_reader(self, base.alarms, "cascade", function, mapping)
        self._watch_both(base, {"consumer": consumer, "cascade": function})

    def _watch_both(self, base: TableStack, readers: Mapping[str, Function]) -> None:
        """Raise alarms for what one cause does to both readers: once, and not for each."""
        ages = {name: age(reader) for name, reader in readers.items()}
        base.alarms.ring(self, "readers-behind", ages)
        base.alarms.ring(self, "readers-nearly-lose", ages)
        base.alarms.gather(self, "readers-late")
        services = {"consumer": edge_stream.NAME, "cascade": NAME}
        found = {name: counted(base.settings, "QuarantinedRecords", service) for name, service in services.items()}
        base.alarms.ring(self, "quarantine-floods", found)
