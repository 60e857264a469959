"""Instants are whole milliseconds since 1970 in UTC; as text they are RFC 3339 of fixed width, so that they sort."""

import math
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated

# An instant, or a length of time: milliseconds, for instants since 1970 in UTC.
Millis = Annotated[int, "milliseconds"]

SECOND = 1000
HOUR = 3600 * SECOND
DAY = 24 * HOUR

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST: Millis = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // timedelta(milliseconds=1)
LATEST: Millis = (datetime(9999, 12, 31, 23, 59, 59, 999000, tzinfo=UTC) - _EPOCH) // timedelta(milliseconds=1)

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:[0-5]\d)", re.ASCII)
_NOT_SECONDS = (
    "is outside the years 0001 to 9999 (milliseconds?): give seconds since 1970, or an RFC 3339 date-time such as"
    " 2018-08-29T12:00:00Z"
)
_PERIOD = re.compile(r"\d{4}(-\d\d(-\d\d([T:]\d\d(:\d\d(:\d\d)?)?)?)?)?", re.ASCII)
_FULL_PERIOD = "0000-01-01:00:00:00"


def parse_instant(text: str) -> datetime:
    """Parse an RFC 3339 date-time (offset required) to UTC with microseconds; raises ValueError.

    A leap second, for which computers' clocks have no number, is read as the last millisecond before it.
    """
    parts = _RFC_3339.fullmatch(text)
    if not parts:
        raise ValueError("must be an RFC 3339 date-time with an offset, such as 2018-08-29T12:00:00Z")
    leaps = text[17:19] == "60"
    if leaps:
        text = f"{text[:17]}59.999{parts[2]}"
    try:
        instant = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("is outside the years 0001 to 9999") from error
    if leaps and (instant.hour, instant.minute) != (23, 59):
        raise ValueError("has a second 60, which only the last minute of a day of UTC may have")
    return instant


def from_epoch_seconds(seconds: Decimal) -> datetime:
    """The instant this many seconds after the start of 1970, truncated to microseconds; raises ValueError."""
    if not seconds.is_finite() or seconds.adjusted() > 11:
        raise ValueError(_NOT_SECONDS)
    try:
        return _EPOCH + timedelta(microseconds=math.floor(seconds * 1_000_000))
    except OverflowError as error:
        raise ValueError(_NOT_SECONDS) from error


def millis(instant: datetime) -> Millis:
    """Milliseconds since 1970, truncated, not rounded."""
    return (instant - _EPOCH) // timedelta(milliseconds=1)


def from_millis(at: Millis) -> datetime:
    """The instant `at` milliseconds after the start of 1970."""
    return _EPOCH + timedelta(milliseconds=at)


def rfc_3339(at: Millis) -> str:
    """`2018-08-29T12:00:00.000Z`: always 24 characters, so that it sorts as text."""
    return f"{from_millis(at).isoformat(timespec='milliseconds')[:-6]}Z"


def from_rfc_3339(text: str) -> Millis:
    """The inverse of rfc_3339, only for text that rfc_3339 made; raises ValueError on other text that is no instant."""
    if not text.endswith("Z"):
        raise ValueError(f"not an instant in UTC: {text!r}")
    return millis(datetime.fromisoformat(text))


def is_period(text: str) -> bool:
    """Whether this is a year, month, day, hour, minute or second, such as `2018-08` or `2018-08-29:12`."""
    if not _PERIOD.fullmatch(text):
        return False
    year_first = text.replace("T", ":", 1)
    padded = year_first + _FULL_PERIOD[len(year_first) :]
    try:
        datetime.strptime(padded, "%Y-%m-%d:%H:%M:%S")
    except ValueError:
        return False
    return True
