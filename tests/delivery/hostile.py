"""A delivery that is as bad as Lambda's documentation allows: at least once, and otherwise anything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from functions.store.writes import Action, Write
from tests.support.streams import Recording, StreamedMemory, StreamedTable, window_event

Consumer = Callable[[dict[str, Any]], object]


class KilledError(Exception):
    """The process ended in the middle of a batch."""


class FragileTable(Recording):
    """Dies at a chosen write, before or after it took effect; or lets somebody else write just before it."""

    writes_left: int | None = None
    answer_lost = False
    interruption: Callable[[], None] | None = None

    def write(self, write: Write) -> None:
        self._send(partial(super().write, write))

    def transact(self, actions: Sequence[Action]) -> None:
        self._send(partial(super().transact, actions))

    def _send(self, send: Callable[[], None]) -> None:
        if self.writes_left is None:
            return send()
        if self.writes_left > 0:
            self.writes_left -= 1
            return send()
        if self.interruption is not None:
            interruption, self.interruption, self.writes_left = self.interruption, None, None
            interruption()
            return send()
        if self.answer_lost:
            self.answer_lost = False
            send()
        raise KilledError


class FragileMemory(FragileTable, StreamedMemory):
    """In memory, for thousands of deliveries."""


class FragileEngine(FragileTable, StreamedTable):
    """On an engine."""


@dataclass(frozen=True)
class Step:
    """One delivery: from which lane, how many records, and what goes wrong.

    - `plain`: nothing
    - `rewind`: the checkpoint is lost, delivery starts `back` records earlier, with other boundaries
    - `zombie`: an old batch runs once more, `back` records earlier, while the lane stays where it is
    - `killed`, `answer_lost`: the process dies at a write, before or after it took effect; the batch comes again
    - `race`: the same batch runs to its end in another process just before one of the writes
    """

    lane: int
    size: int
    fault: str
    back: int
    write: int


class Delivery:
    """Delivers a table's lanes to a consumer, step by step, then whatever is left."""

    def __init__(self, table: FragileTable, consumer: Consumer) -> None:
        self.table, self.consumer = table, consumer
        self.positions = dict.fromkeys(table.lanes, 0)
        self.deliveries = 0

    def step(self, step: Step) -> None:
        lane = list(self.positions)[step.lane % len(self.positions)]
        if step.fault == "rewind":
            self.positions[lane] = max(0, self.positions[lane] - step.back)
        start = max(0, self.positions[lane] - step.back) if step.fault == "zombie" else self.positions[lane]
        end = min(start + step.size, self.positions[lane]) if step.fault == "zombie" else start + step.size
        records = self.table.lanes[lane][start:end]
        if records and self._survives(lane, records, step) and step.fault != "zombie":
            self.positions[lane] += len(records)

    def drain(self) -> None:
        while any(self.positions[lane] < len(records) for lane, records in self.table.lanes.items()):
            for lane in range(len(self.positions)):
                self.step(Step(lane, 7, "plain", 0, 0))

    def _survives(self, lane: str, records: Sequence[dict[str, Any]], step: Step) -> bool:
        if step.fault in ("killed", "answer_lost", "race"):
            self.table.writes_left = step.write
            self.table.answer_lost = step.fault == "answer_lost"
        if step.fault == "race":
            self.table.interruption = lambda: self._deliver(lane, records)
        try:
            self._deliver(lane, records)
        except KilledError:
            return False
        finally:
            self.table.writes_left, self.table.interruption, self.table.answer_lost = None, None, False
        return True

    def _deliver(self, lane: str, records: Sequence[dict[str, Any]]) -> None:
        self.deliveries += len(records)
        self.consumer(window_event(lane, records))
