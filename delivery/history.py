"""What was delivered and how it ended, for reading when a test fails."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from delivery.faults import Fault
from delivery.records import Record

KEPT = 10_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One invocation: its number, the simulated time at which it ended, its records, its fault and its outcome."""

    number: int
    at: float
    shard_id: str
    first: int | None
    last: int | None
    count: int
    fault: Fault | None
    outcome: str

    @classmethod
    def of(
        cls, number: int, at: float, shard_id: str, records: Sequence[Record], fault: Fault | None, outcome: str
    ) -> "Entry":
        """The entry of an invocation with these records."""
        first, last = (records[0].sequence, records[-1].sequence) if records else (None, None)
        return cls(number, at, shard_id, first, last, len(records), fault, outcome)

    def __str__(self) -> str:
        records = "no records" if self.first is None else f"{self.count} records {self.first}..{self.last}"
        fault = f" [{self.fault}]" if self.fault else ""
        return f"{self.number:>7} {self.at:.3f} {self.shard_id} {records}: {self.outcome}{fault}"


class History:
    """The last invocations, in the order in which they ended: one that runs within another comes before it.

    `faults`, `invocations` and `deliveries` (of records) count all of them.
    """

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque(maxlen=KEPT)
        self.faults: Counter[Fault] = Counter()
        self.invocations = 0
        self.deliveries = 0

    def began(self, records: int) -> int:
        """Count an invocation with this many records; returns its number."""
        self.invocations += 1
        self.deliveries += records
        return self.invocations

    def ended(self, entry: Entry) -> None:
        """Keep an invocation, and count its fault."""
        self.entries.append(entry)
        if entry.fault:
            self.faults[entry.fault] += 1

    def __str__(self) -> str:
        return "\n".join(map(str, self.entries))
