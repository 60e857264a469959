"""Zones of time, and what their rules are: a view of months of a zone is another one once these change."""

import hashlib
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from edgewise.aggregates.catalog import DeclarationError

FIRST, LAST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
# No zone has changed its offset and changed it back within so long.
_STEP, _EXACTLY = timedelta(days=7), timedelta(seconds=1)


@cache
def zone(name: str) -> ZoneInfo:
    """A zone by its name, such as `Europe/Berlin`; raises DeclarationError if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise DeclarationError(f"zone must be the name of one, such as Europe/Berlin, and not {name!r}") from error


@cache
def rules(name: str) -> str:
    """Sixteen hexadecimal digits that stand for a zone's offsets from 1970 to 2100."""
    of, at = zone(name), FIRST
    told = [str(_offset(of, at))]
    while at < LAST:
        after = at + _STEP
        if _offset(of, at) != _offset(of, after):
            changed = _changed(of, at, after)
            told.append(f"{changed.isoformat()} {_offset(of, changed)}")
        at = after
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:16]


def _offset(of: ZoneInfo, at: datetime) -> timedelta | None:
    return at.astimezone(of).utcoffset()


def _changed(of: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """The first second between two instants with the offset of the second one."""
    while high - low > _EXACTLY:
        middle = (low + (high - low) // 2).replace(microsecond=0)
        low, high = (low, middle) if _offset(of, middle) == _offset(of, high) else (middle, high)
    return high
