"""The cost of requests to the table."""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from functions.dynamodb.attributes import Item


@dataclass
class Usage:
    """The usage since the last reset: requests, and read and write units as DynamoDB reports them.

    Refused conditional writes are billed, but their answers don't report units, so they are counted separately.
    `lacking` counts the aggregates read that say that they lack something; `left_out` are the keys of items that were
    read for lists and could not be understood (functions.dynamodb.decoding).
    """

    requests: int = 0
    refused: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    lacking: int = 0
    left_out: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def reset(self, lacking: int = 0) -> None:
        """Start counting from zero; so many aggregates are known to lack something."""
        self.requests, self.refused, self.read_units, self.write_units, self.lacking = 0, 0, 0.0, 0.0, lacking
        self.left_out = []

    def figures(self) -> dict[str, float]:
        """What was asked of the table, and what it cost, for a log."""
        return {"requests": self.requests, "read_units": self.read_units, "write_units": self.write_units}

    def notice(self, items: Iterable[Item]) -> None:
        """Count the aggregates among these items, just read, that lack something."""
        lacking = sum("Lacks" in item for item in items)
        if lacking:
            with self._lock:
                self.lacking += lacking

    def count_refusal(self) -> None:
        """Count one refused write or transaction."""
        with self._lock:
            self.requests += 1
            self.refused += 1

    def count(self, response: Any, *, write: bool, refused: int = 0) -> None:
        """Count one successful request; `refused`: how many of its writes found another version."""
        consumed = response.get("ConsumedCapacity") or []
        units = sum(part["CapacityUnits"] for part in (consumed if isinstance(consumed, list) else [consumed]))
        with self._lock:
            self.requests += 1
            self.refused += refused
            if write:
                self.write_units += units
            else:
                self.read_units += units
