"""The stack that maintains edges and aggregates: the table's stream, read by `edge_aggregator`."""

from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_events import Rule, Schedule
from aws_cdk.aws_events_targets import LambdaFunction
from constructs import Construct

from edgewise.aggregates.carriers.carrying import CARRIES
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.cdk.reading import window
from functions.catalog import CATALOG
from functions.settings import LastLineSettings, RedriveSettings, SweeperSettings
from infra.functions import make_function
from infra.heartbeats import Heartbeats
from infra.metrics import counted
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.streams import but_for, having, read_table, watch_reader
from infra.table import TableStack

NAME: Final = "edge_aggregator"
# No event reaches it: operators invoke it.
OPERATOR: Final = "redrive"
# Called on a schedule. The next call handles whatever this one leaves, so a failed one is not repeated.
SWEEPER: Final = "sweeper"
SWEEPS: Final = Duration.hours(1)
# Notified of each event that a reader's mapping gave up.
LAST_LINE: Final = "last_line"

# In five minutes, of requests with many statements. Fewer cost little, and one may be too large.
FAILED: Final = 100


class EdgeStreamStack(StageStack):
    """The consumer, its mapping and its alarms; the functions that redrive quarantined records, sweep, and beat."""

    def __init__(self, scope: Construct, part: str, settings: InfraSettings, base: TableStack) -> None:
        super().__init__(scope, part, settings)
        consumer = settings.consumer(base.table.table_name)
        self.reader = function = make_function(self, NAME, base.table, consumer, settings)
        # Not what the consumer itself writes in the last rank, except for what closes an open part, or is carried.
        passing_on = (having("NewImage", each) for each in (CLOSING, CARRIES))
        filters = [*but_for(("NewImage", "OldImage"), CATALOG.undelivered_types), *passing_on]
        mapping = read_table(self, base, function, filters, tumbling_window=window(emulator=settings.emulator))
        watch_reader(self, base, NAME, function, mapping, because="aggregates are behind")
        environment = RedriveSettings(consumer.table_name)
        redrive = make_function(self, OPERATOR, base.table, environment, settings)
        base.alarms.watch_function(self, OPERATOR, redrive)
        self._watch_aggregates(base)
        self._watch_quarantine(base)
        self._take_care(base, settings)
        sweeper = make_function(self, SWEEPER, base.table, SweeperSettings(consumer.table_name), settings)
        base.alarms.watch_function(self, SWEEPER, sweeper)
        Heartbeats(self, "heartbeats", settings, base)
        Rule(self, "sweeps", schedule=Schedule.rate(SWEEPS), targets=[LambdaFunction(sweeper, retry_attempts=0)])

    def _take_care(self, base: TableStack, settings: InfraSettings) -> None:
        """Make the function that handles lost records, and raise an alarm if there are any."""
        function = make_function(self, LAST_LINE, base.table, LastLineSettings(base.table.table_name), settings)
        base.lost.tell(self, function)
        base.alarms.watch_function(self, LAST_LINE, function)
        found = counted(base.settings, "QuarantinedRecords", LAST_LINE)
        base.alarms.watch(self, "lost-quarantine", found, at_least=1, because="records could not be understood")

    def _watch_aggregates(self, base: TableStack) -> None:
        """Raise alarms for what the consumer itself reports about aggregates."""
        incomplete = counted(base.settings, "IncompleteAggregates", NAME)
        base.alarms.watch_always(
            self, "incomplete", incomplete, at_least=1, because="aggregates lack something: repair them"
        )
        failed = counted(base.settings, "RequestsFailed", NAME)
        because = "aggregates are written one by one: the log has the code"
        base.alarms.watch(self, "requests-failed", failed, at_least=FAILED, because=because)

    def _watch_quarantine(self, base: TableStack) -> None:
        """Raise an alarm as long as records stay in quarantine; the one for each new record is over in minutes."""
        # Over two sweeps: each tells the level once.
        level = counted(base.settings, "QuarantineLevel", SWEEPER, "Maximum").with_(period=SWEEPS.plus(SWEEPS))
        base.alarms.watch_always(self, "quarantine-level", level, at_least=1, because="records are still in quarantine")
