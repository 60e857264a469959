"""What the stream's consumer tells of how far a shard has come."""

from collections.abc import Sequence

from edgewise.dynamodb.attributes import Item, integer
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.failures import PoisonError, sorted_out
from edgewise.freshness import keys, watermarks
from edgewise.freshness.hops import HEARTBEAT
from edgewise.freshness.watermarks import Reached, Watermark
from edgewise.times import Millis

TRIES = 2


class Teller:
    """Moves watermarks: a write unit each time. It remembers them, so that it seldom reads one."""

    def __init__(self) -> None:
        self._known: dict[str, Watermark] = {}

    def is_due(self, shard: str, now: Millis) -> bool:
        """Whether a shard should tell although no heartbeat came, because none has come for long."""
        known = self._known.get(shard)
        return known is None or now - known.history[-1].at > 2 * HEARTBEAT

    def tell(self, table: Table, shard: str, found: Reached, heartbeats: Sequence[str]) -> None:
        """Move the watermark of a shard. If somebody else does so again and again, that tells as much."""
        known = self._known.get(shard) or _stored(table, shard)
        for _ in range(TRIES):
            moved = known.moved(found, heartbeats)
            try:
                table.write(watermarks.replacing(moved))
            except RefusedError as error:
                known = _understood(shard, error.item)
            else:
                self._known[shard] = moved
                return


def _stored(table: Table, shard: str) -> Watermark:
    return _understood(shard, table.get(keys.watermark(shard)))


def _understood(shard: str, item: Item | None) -> Watermark:
    """What a stored watermark says. One that can't be understood, as of another release, is replaced by the next."""
    if item is None:
        return Watermark(shard)
    try:
        with sorted_out():
            return watermarks.watermark(item)
    except PoisonError:
        return Watermark(shard, integer(item["Version"]))
