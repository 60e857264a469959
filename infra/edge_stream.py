"""The stack that keeps edges and their aggregates: the table's stream, read by `edge_aggregator`."""

from typing import Final

from aws_cdk import Duration, Stack
from constructs import Construct

from functions.domain.catalog import DELIVERED_TYPES
from functions.settings import RedriveSettings
from infra.functions import make_function
from infra.settings import InfraSettings
from infra.streams import of_types, read_stream, watch_reader
from infra.table import TableStack

NAME: Final = "edge_aggregator"
# No event reaches it: people on duty invoke it.
OPERATOR: Final = "redrive"
# For each second that changes may wait: a shard's partition takes no more writes in it.
BATCH: Final = 1000
# A window for the `shardId` that comes with it, and for the aggregates that wait for its end. The checkpoint moves when
# a window ends, so a lost poller repeats one window at most: ten batches at a shard's full rate, unless longer ones
# are asked for. Each window costs one more call: a tenth then.
BATCHES_PER_WINDOW: Final = 10


class EdgeStreamStack(Stack):
    """The consumer, its mapping and its alarms; and the function that redrives what the consumer set aside."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, base: TableStack) -> None:
        super().__init__(scope, construct_id, termination_protection=settings.production)
        consumer = settings.consumer(base.table.table_name)
        function = make_function(self, NAME, base.table, consumer, settings)
        # Sources and slots, new or old: what the consumer itself writes in the last rank never comes back to it.
        filters = of_types(("NewImage", "OldImage"), DELIVERED_TYPES)
        read_stream(
            self,
            base,
            function,
            filters,
            batch_size=BATCH * settings.freshness,
            max_batching_window=Duration.seconds(settings.freshness),
            tumbling_window=Duration.seconds(max(settings.window, BATCHES_PER_WINDOW * settings.freshness)),
        )
        watch_reader(self, base, NAME, function, because="aggregates are behind")
        environment = RedriveSettings(consumer.table_name, consumer.waiting)
        redrive = make_function(self, OPERATOR, base.table, environment, settings)
        base.alarms.watch_function(self, OPERATOR, redrive)
