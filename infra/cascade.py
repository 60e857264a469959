"""The stack that completes the follow-ups of changes: the table's stream, read by `cascade`."""

from typing import Final

from constructs import Construct

from functions.aggregates.ranking_items import REFILLING
from functions.aggregates.unknowns import RECOUNTING
from functions.catalog import FOLLOW_UPS
from functions.settings import CascadeSettings
from infra.functions import make_function
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.streams import but_for, having, read_stream, watch_reader
from infra.table import TableStack

NAME: Final = "cascade"
# One change may require thousands of writes, and a batch must end within the function's time.
BATCH: Final = 10


class CascadeStack(StageStack):
    """The stream's second consumer, its mapping and its alarms."""

    def __init__(self, scope: Construct, part: str, settings: InfraSettings, base: TableStack) -> None:
        super().__init__(scope, part, settings)
        environment = CascadeSettings(table_name=base.table.table_name)
        self.reader = function = make_function(self, NAME, base.table, environment, settings)
        by_name = [having("NewImage", name) for name in (RECOUNTING, REFILLING)]
        filters = [*but_for(["NewImage"], FOLLOW_UPS.undelivered_types), *by_name]
        mapping = read_stream(self, base, function, filters, batch_size=BATCH)
        watch_reader(self, base, NAME, function, mapping, because="follow-ups are late")
