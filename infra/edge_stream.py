"""The stack that maintains edges and aggregates: the table's stream, read by `edge_aggregator`."""

from typing import Final

from constructs import Construct

from edgewise.aggregates.carriers.carrying import CARRIES
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.cdk.calls import SWEEPS, call_every
from edgewise.cdk.reading import window
from functions.catalog import CATALOG
from functions.settings import LastLineSettings, RedriveSettings, SweeperSettings
from infra.functions import make_function
from infra.heartbeats import Heartbeats
from infra.kept_batches import KeptBatches
from infra.metrics import counted
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.streams import but_for, having, read_table, watch_reader
from infra.table import TableStack

NAME: Final = "edge_aggregator"
# No event reaches it: operators invoke it.
OPERATOR: Final = "redrive"
SWEEPER: Final = "sweeper"
# Notified of each event that a reader's mapping gave up.
LAST_LINE: Final = "last_line"


class EdgeStreamStack(StageStack):
    """The consumer, its mapping and its alarms; the functions that redrive quarantined records, sweep, and beat."""

    def __init__(self, scope: Construct, part: str, settings: InfraSettings, base: TableStack) -> None:
        super().__init__(scope, part, settings)
        kept = KeptBatches(self, "kept", settings) if settings.rehearsed else None
        consumer = settings.consumer(base.table.table_name, kept.bucket_name if kept else "")
        self.reader = function = make_function(self, NAME, base.table, consumer, settings)
        if kept:
            kept.let_keep(function)
        # Not what the consumer itself writes in the last rank, except for what closes an open part, or is carried.
        passing_on = (having("NewImage", each) for each in (CLOSING, CARRIES))
        filters = [*but_for(("NewImage", "OldImage"), CATALOG.undelivered_types), *passing_on]
        mapping = read_table(self, base, function, filters, tumbling_window=window(emulator=settings.emulator))
        last_line = make_function(self, LAST_LINE, base.table, LastLineSettings(base.table.table_name), settings)
        base.lost.tell(last_line, self)
        unnoted = last_line.metric("AsyncEventsDropped", statistic="Sum")
        watch_reader(self, base.alarms, "consumer", function, mapping, unnoted=unnoted)
        make_function(self, OPERATOR, base.table, RedriveSettings(consumer.table_name), settings)
        sweeper = make_function(self, SWEEPER, base.table, SweeperSettings(consumer.table_name), settings)
        heartbeats = Heartbeats(self, "heartbeats", settings, base)
        self._watch_aggregates(base)
        failures = {"sweeper": sweeper.metric_errors(), "heartbeat": heartbeats.function.metric_errors()}
        base.alarms.ring(self, "background-failing", failures)
        call_every(self, "sweeps", sweeper, SWEEPS)

    def _watch_aggregates(self, base: TableStack) -> None:
        """Raise alarms for what the consumer itself reports about aggregates, and while records are in quarantine."""
        incomplete = counted(base.settings, "IncompleteAggregates", NAME)
        base.alarms.ring(self, "aggregates-lack", {"incomplete": incomplete})
        # A sweep tells it, even while nothing is written and the readers of the stream rest.
        level = counted(base.settings, "QuarantineLevel", SWEEPER, "Maximum")
        base.alarms.ring(self, "quarantine", {"level": level})
