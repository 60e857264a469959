"""Access patterns of alerts."""

from docs.patterns import example
from docs.patterns.pattern import Read
from edgewise.alerting import ALERT, ALL_RAISED, Crossing, listed
from edgewise.dynamodb.table import Table

_SHOP = '["ADJACENT", [["business", "shop"], "in", "PART_OF"]]'


def _raised(table: Table) -> None:
    """A business is degraded, and not down any more; the list has two shards."""
    degraded = Crossing(_SHOP, "degraded", "raised", 7, 1_535_544_000_000)
    down = Crossing(_SHOP, "down", "cleared", 7, 1_535_544_000_000)
    example.store(table, example.widened(ALL_RAISED, 2), ALERT.encode(degraded, 2), ALERT.encode(down))


READS = (
    Read(
        "the declared conditions that hold, the newest first",
        "GET /alerts",
        {},
        {},
        [example.history(ALL_RAISED), *listed(ALL_RAISED.shards(2))],
        units=1.5,
        bound=example.BOUND,
        given=_raised,
    ),
)
WRITES = ()
