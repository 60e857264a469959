"""What the stream's readers tell of how far they have come in a shard: a write unit each time."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from edgewise.dynamodb.attributes import Item, integer
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Put
from edgewise.failures import PoisonError, sorted_out
from edgewise.freshness import followed, keys, watermarks
from edgewise.freshness.followed import FollowedUp
from edgewise.freshness.hops import HEARTBEAT
from edgewise.freshness.watermarks import Reached, Watermark
from edgewise.times import Millis

TRIES = 2
Told = TypeVar("Told", Watermark, FollowedUp)


class Teller:
    """Moves watermarks. It remembers them, so that it seldom reads one."""

    def __init__(self) -> None:
        self._known: dict[str, Watermark] = {}

    def is_due(self, shard: str, now: Millis) -> bool:
        """Whether a shard should tell although no heartbeat came, because none has come for long."""
        known = self._known.get(shard)
        return known is None or now - known.history[-1].at > 2 * HEARTBEAT

    def tell(self, table: Table, shard: str, found: Reached, heartbeats: Sequence[str]) -> None:
        """Move the watermark of a shard. If somebody else does so again and again, that tells as much."""
        understood = partial(_watermark, shard)
        known = self._known.get(shard) or understood(table.get(keys.watermark(shard)))
        moved = _move(table, known, lambda known: known.moved(found, heartbeats), watermarks.replacing, understood)
        if moved:
            self._known[shard] = moved


def tell_followed(table: Table, heartbeats: Iterable[str], now: Millis, until: Millis, since: Millis | None) -> None:
    """Say how far the follow-ups are in the shard in which these heartbeats came: see FollowedUp.moved."""
    for name in heartbeats:
        known = _followed(name, table.get(keys.followed(name)))
        _move(table, known, lambda known: known.moved(now, until, since), followed.replacing, partial(_followed, name))


def _move(
    table: Table,
    known: Told,
    move: Callable[[Told], Told],
    replacing: Callable[[Told], Put],
    understood: Callable[[Item | None], Told],
) -> Told | None:
    """Store what is told, unless it is what was known; None if it is not stored."""
    for _ in range(TRIES):
        moved = move(known)
        if moved == known:
            return None
        try:
            table.write(replacing(moved))
        except RefusedError as error:
            known = understood(error.item)
        else:
            return moved
    return None


def _watermark(shard: str, item: Item | None) -> Watermark:
    """What a stored watermark says. One that can't be understood, as of another release, is replaced by the next."""
    if item is None:
        return Watermark(shard)
    try:
        with sorted_out():
            return watermarks.watermark(item)
    except PoisonError:
        return Watermark(shard, integer(item["Version"]))


def _followed(name: str, item: Item | None) -> FollowedUp:
    """The same of what is stored of follow-ups."""
    if item is None:
        return FollowedUp(name)
    try:
        with sorted_out():
            return followed.followed_up(item)
    except PoisonError:
        return FollowedUp(name, integer(item["Version"]))
