"""Tumbling windows: the stretch of time that an open window covers, and its state."""

import json
from dataclasses import dataclass
from typing import Any

from delivery.clock import iso_8601


@dataclass
class Window:
    """An open window of one shard: from `start` to `end` in epoch seconds, with the records from `first` on.

    `early`: its state grew too large, it must end before its time.
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

    def fields(self, shard_id: str, arn: str, *, final: bool) -> str:
        """What the window adds to an event, as the end of a JSON object."""
        return json.dumps(
            {
                "window": {"start": iso_8601(self.start), "end": iso_8601(self.end)},
                "state": self.state,
                "shardId": shard_id,
                "eventSourceARN": arn,
                "isFinalInvokeForWindow": final,
                "isWindowTerminatedEarly": final and self.early,
            }
        )[1:]
