"""The time of day that the code under test reads, as a test sets it."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from edgewise import clock as real
from edgewise.times import Millis, from_rfc_3339
from functions.web import fields

NOON = "2018-08-29T12:00:00.000Z"
IS_AHEAD = fields.is_ahead


class Clock:
    """A clock that stands still until a test sets it."""

    def __init__(self, now: Millis) -> None:
        self.now = now

    def __call__(self) -> Millis:
        return self.now

    def show(self, instant: str) -> None:
        """Set it to an instant (RFC 3339)."""
        self.now = from_rfc_3339(instant)


@pytest.fixture(autouse=True, scope="session")
def nothing_is_ahead() -> Iterator[None]:
    """Most tests date what they send as they like, and their clock stands still; those with a `clock` mind it."""
    with patch.object(fields, "is_ahead", lambda *_: False):
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The server's clock, ahead of which little may be; it shows noon at first."""
    clock = Clock(from_rfc_3339(NOON))
    monkeypatch.setattr(real, "now", clock)
    monkeypatch.setattr(fields, "is_ahead", IS_AHEAD)
    return clock
