"""Windows: what the last whole periods come to together, and the instants that these are.

A window is no row: it is read from the rows of a view that is grouped by hours, days or months. So it begins and ends
where periods do, and what is in a period that is not over is in no window yet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.own.freshness import Freshness
from edgewise.times import from_millis
from edgewise.views import reading
from edgewise.views.groupings import ByPeriod
from edgewise.views.keeping import Kept
from edgewise.views.reading import FoundRows

V = TypeVar("V")
# So many periods one may have: a query reads as many rows of each group.
MOST = 10_000
_MICROSECOND, _NEAR = timedelta(microseconds=1), timedelta(days=2)


@dataclass(frozen=True)
class Window(Generic[V]):
    """What the items come to together whose instants are from `since` on, and before `until`; both in UTC.

    `total` is as `Rows.total` gives it, and so are `complete` and `as_of`: what was written after that instant may be
    missing, also of the time before `until`, if that is later.
    """

    total: V
    since: datetime
    until: datetime
    complete: bool
    as_of: datetime | None


class Span(NamedTuple):
    """Some whole periods: the names of the first and the last, and the instants from `since` on, before `until`."""

    first: str
    last: str
    since: datetime
    until: datetime


def read(
    kept: Kept, table: Table, told: Mapping[str, str], number: int, at: datetime | None, fresh: Freshness | None
) -> tuple[FoundRows, Span]:
    """The rows of the last whole periods before an instant, by default now, and which these are."""
    span = whole(_period(kept, told), number, at or from_millis(clock.now()))
    return reading.between(kept, table, told, (span.first, span.last), fresh), span


def whole(by: ByPeriod, number: int, at: datetime) -> Span:
    """So many periods, of which the last one is the last that is over at an instant; raises ValueError.

    It also does if the window's end or beginning is none: a zone's clocks went back across it.
    """
    if type(number) is not int or not 1 <= number <= MOST:
        raise ValueError(f"a window has 1 to {MOST:,} periods, and not {number!r}")
    if at.tzinfo is None:
        raise ValueError(f"a window ends at or before an instant, and {at} needs a zone")
    end = by.beginning(by.local(at))
    first, last = (by.back(end, steps) for steps in (number, 1))
    return Span(by.called(first), by.called(last), _begins(by, first), _begins(by, end))


def _period(kept: Kept, told: Mapping[str, str]) -> ByPeriod:
    """The key behind those that are told; raises TypeError, with what to write, if that is no period."""
    keys = kept.declared.keys
    by = [*keys.values(), None][min(len(told), len(keys))]
    if isinstance(by, ByPeriod):
        return by
    periods = [name for name, each in keys.items() if each.is_period]
    what = f"give the keys before {' or '.join(periods)}" if periods else "group by hour_of, day_of or month_of, too"
    raise TypeError(f"{kept.declared.name}: a window is of periods: {what}")


def _begins(by: ByPeriod, local: datetime) -> datetime:
    """The first instant of a period, by its local beginning; raises ValueError if others come back after it."""
    name, near = by.called(local), local.replace(tzinfo=UTC)
    again = local.replace(tzinfo=by.clocks, fold=1).astimezone(UTC)
    if local.replace(tzinfo=by.clocks).astimezone(UTC) < again and by.called(by.local(again - _MICROSECOND)) < name:
        raise ValueError(f"{name} begins twice in {by.zone}, whose clocks went back: choose another window")
    low, high = near - _NEAR, near + _NEAR
    while high - low > _MICROSECOND:
        middle = low + (high - low) // 2
        low, high = (low, middle) if by.called(by.local(middle)) >= name else (middle, high)
    return high
