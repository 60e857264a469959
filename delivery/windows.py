"""Tumbling windows: the stretch of time that an open window covers, and its state."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from delivery.clock import Clock, iso_8601
from delivery.records import Source


@dataclass
class Window:
    """An open window of one shard: from `start` to `end` in epoch seconds, with the records from `first` on.

    `early`: its state grew too large, so it must end early.
    """

    start: int
    end: int
    first: int
    state: Any
    early: bool = False

    @classmethod
    def of(cls, at: float, length: int, first: int) -> "Window":
        """The window that a record written at this instant belongs to, with no state yet."""
        start = int(at) // length * length
        return cls(start, start + length, first, {})

    def fields(self, shard_id: str, arn: str, *, final: bool) -> dict[str, Any]:
        """What the window adds to an event."""
        return {
            "window": {"start": iso_8601(self.start), "end": iso_8601(self.end)},
            "state": self.state,
            "shardId": shard_id,
            "eventSourceARN": arn,
            "isFinalInvokeForWindow": final,
            "isWindowTerminatedEarly": final and self.early,
        }


def window_event(shard_id: str, records: Sequence[Any]) -> dict[str, Any]:
    """The event of some records in the middle of a window, for tests that call a handler directly."""
    window = Window.of(Clock().now, length=60, first=0)
    return {"Records": list(records), **window.fields(shard_id, Source().arn, final=False)}
