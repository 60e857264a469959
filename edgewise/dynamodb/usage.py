"""The cost of requests to the table."""

import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from edgewise.dynamodb.attributes import Item

# A read unit costs a fifth of a write unit.
_READ_UNIT = 0.2


@dataclass
class Usage:
    """The usage since the last reset: requests, and read and write units as DynamoDB reports them.

    Refused conditional writes are billed, but their answers don't report units: so they are counted separately, and
    `refused_units` are computed from the items. `caused` are the units, in write units, that others take because of
    these requests: who knows of them adds them.
    `lacking` counts the aggregates read that say that they lack something; `left_out` are the keys of items that were
    read for lists and could not be understood (edgewise.dynamodb.decoding). `failures` are the requests with many
    statements that failed as a whole, by the code of the error.
    """

    requests: int = 0
    refused: int = 0
    refused_units: int = 0
    read_units: float = 0.0
    write_units: float = 0.0
    caused: int = 0
    lacking: int = 0
    left_out: list[str] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def reset(self, lacking: int = 0) -> None:
        """Start counting from zero; so many aggregates are known to lack something."""
        self.requests, self.refused, self.refused_units, self.lacking = 0, 0, 0, lacking
        self.read_units, self.write_units, self.caused = 0.0, 0.0, 0
        self.left_out, self.failures = [], Counter()

    @property
    def paid(self) -> float:
        """All units, expressed in write units of the same price."""
        return self.write_units + self.refused_units + self.read_units * _READ_UNIT + self.caused

    def figures(self) -> dict[str, Any]:
        """What was asked of the table, and what it cost, for a log; what others take and failures, if there are any."""
        figures = {"requests": self.requests, "read_units": self.read_units, "write_units": self.write_units}
        more = {"caused_units": self.caused, "failures": dict(self.failures)}
        return figures | {name: figure for name, figure in more.items() if figure}

    def notice(self, items: Iterable[Item]) -> None:
        """Count the aggregates among these items, just read, that lack something."""
        lacking = sum("Lacks" in item for item in items)
        if lacking:
            with self._lock:
                self.lacking += lacking

    def count_failure(self, code: str) -> None:
        """Count one request with many statements that failed as a whole."""
        with self._lock:
            self.failures[code] += 1

    def count_refusal(self, units: int) -> None:
        """Count one refused write or transaction of so many units."""
        with self._lock:
            self.requests += 1
            self.refused += 1
            self.refused_units += units

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
