"""The time of day that the code under test reads, as a test sets it."""

import pytest

from edgewise import clock as real
from edgewise.times import Millis, from_rfc_3339

NOON = "2018-08-29T12:00:00.000Z"


class Clock:
    """A clock that stands still until a test sets it."""

    def __init__(self, now: Millis) -> None:
        self.now = now

    def __call__(self) -> Millis:
        return self.now

    def show(self, instant: str) -> None:
        """Set it to an instant (RFC 3339)."""
        self.now = from_rfc_3339(instant)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The server's clock; it shows noon at first."""
    clock = Clock(from_rfc_3339(NOON))
    monkeypatch.setattr(real, "now", clock)
    return clock
