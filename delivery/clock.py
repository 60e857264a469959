"""Simulated time: it passes only when something waits for it."""

from datetime import UTC, datetime


class Clock:
    """The time in epoch seconds."""

    def __init__(self, now: float = 1_535_544_000.0) -> None:
        self.now = now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    def wait_until(self, at: float) -> None:
        """Let time pass until an instant, if it is in the future."""
        self.now = max(self.now, at)


def iso_8601(seconds: float, timespec: str = "seconds") -> str:
    """An instant as Lambda writes it, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec=timespec).replace("+00:00", "Z")
