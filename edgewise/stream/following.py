"""What the parts of kinds do beside the writes of their aggregates: before these are stored, and afterwards."""

from collections.abc import Iterable, Mapping

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.rankings import judging
from edgewise.aggregates.rankings.declaration import Rankings
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import Table
from edgewise.stream import incomplete


def prepare(table: Table, changed: Iterable[tuple[Aggregate, Aggregate]]) -> None:
    """What must be stored before aggregates are; each of these is given as it was read, and as it is to be stored."""
    judging.enrol(table, [after for before, after in changed if after.kept.get(Rankings) != before.kept.get(Rankings)])


def settle(table: Table, stored: Mapping[AggregateId, Aggregate | None], may_go_on: MayGoOn) -> dict[AggregateId, str]:
    """What must be done once aggregates are stored; returns those for which it can't be done, with the reason.

    `stored` has the aggregates as they were written, or None for those to be read as they are now. Raises
    UnjudgedError.
    """
    lacking = judging.judge(table, stored, may_go_on)
    for about, reason in lacking.items():
        incomplete.note(table, about, reason)
    return lacking
