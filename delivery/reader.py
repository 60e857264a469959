"""One of Lambda's pollers: reads a shard, or with parallelization its share of it, and remembers its position."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from delivery.answers import Accepted
from delivery.batches import batch_end, is_full, same_window
from delivery.mapping import DAY, INFINITE, Mapping
from delivery.records import Record
from delivery.stream import Shard
from delivery.windows import Window

RETRIES_EXHAUSTED, AGE_EXCEEDED = "RetryAttemptsExhausted", "RecordAgeExceeded"
# AWS documents no pause between attempts: here it doubles, from one second to a quarter of an hour.
LONGEST_PAUSE = 900.0


@dataclass
class Batch:
    """A reader's records from `start` to `end`, or the `final` call of a window, and the tries so far.

    `raised`: the last invocation ended in an error of the function, not in an answer.
    """

    start: int
    end: int
    final: bool = False
    retries: int = 0
    invocations: int = 0
    raised: bool = False

    def __len__(self) -> int:
        return self.end - self.start


Discard = Callable[["Reader", Batch, str | None], None]


class Reader:
    """The state of one poller.

    - `records`: those of its share that the filters let through; `position`: the next one to deliver
    - `discard` is called with what is given up and the reason (None: the stream itself discarded it)
    - `busy`: an invocation is running
    - `longest_pause`: seconds between two attempts at most
    """

    def __init__(
        self,
        shard: Shard,
        mapping: Mapping,
        lets_in: Callable[[Record], bool],
        discard: Discard,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        self.shard = shard
        self.records: list[Record] = []
        self.position = 0
        self.window: Window | None = None
        self.busy = False
        self._mapping, self._lets_in, self._discard = mapping, lets_in, discard
        self._longest_pause = longest_pause
        self._fetched = self._frontier = 0
        self._pending: list[Batch] = []
        self._not_before = 0.0

    @property
    def exhausted(self) -> bool:
        """Whether the shard is closed and everything in it is done: only then are its children read."""
        return self.shard.closed and not self.busy and self.due() is None

    @property
    def at_frontier(self) -> bool:
        """Whether nothing is being replayed: a reader that goes back again during a replay may never arrive."""
        return self.position >= self._frontier

    @property
    def is_read(self) -> bool:
        """Whether the shard is closed, and nothing but the last call of its last window is left."""
        return (
            self.shard.closed and self.window is not None and not self._pending and self.position == len(self.records)
        )

    @property
    def left(self) -> int:
        """How many records are still to be delivered."""
        self._fetch()
        return len(self.records) - self.position

    def is_done(self, upto: int) -> bool:
        """Whether all records up to this number are delivered, and their windows have ended."""
        self._fetch()
        first = self.position if self.window is None else self.window.first
        return first == len(self.records) or self.records[first].sequence > upto

    def is_behind(self, now: float) -> bool:
        """Whether two windows would have ended since what is delivered now, or next, could have been delivered."""
        self._fetch()
        if self.position < len(self.records):
            since = self.records[self.position].at
        else:
            since = now if self.window is None else self.window.end
        return bool(self._mapping.tumbling_window) and now - since > 2 * self._mapping.tumbling_window

    def due(self) -> float | None:
        """When there will be something to deliver, in epoch seconds; None: not until something is written."""
        self._fetch()
        if self._pending:
            return self._not_before
        if self.position < len(self.records):
            return max(self._not_before, self.records[self.position].at + self._waits())
        if self.window is None:
            return None
        return self._not_before if self.shard.closed or self.window.early else self.window.end

    def take(self, now: float, limit: int) -> Batch | None:
        """What to deliver now, up to `limit` records; None if everything that was due has become too old."""
        self._expire(now)
        if not self._pending:
            if self._window_ends(now):
                self._pending.append(Batch(self.position, self.position, final=True))
            elif self.position < len(self.records):
                self._pending.append(self._next(limit))
        return self._pending[0] if self._pending else None

    def records_of(self, batch: Batch) -> Sequence[Record]:
        """The records of a batch."""
        return self.records[batch.start : batch.end]

    def event(self, batch: Batch, arn: str, twice: int | None = None) -> str:
        """The event of a batch, as JSON; `twice`: the place of a record that is also at its end."""
        whole = [record.wire for record in self.records_of(batch)]
        records = ",".join(whole if twice is None else [*whole, whole[twice]])
        fields = self.window.fields(self.shard.id, arn, final=batch.final) if self.window else {}
        return f'{{"Records":[{records}]' + (f",{json.dumps(fields)[1:]}" if fields else "}")

    def accepted(self, batch: Batch, answer: Accepted, now: float) -> None:
        """The function answered: continue after the records that are done, if any are."""
        if answer.done == 0 < len(batch):
            self.failed(batch, now)
            return
        if batch.final:
            self.window = None
        elif self.window is not None:
            self.window.state, self.window.early = answer.state, answer.oversized
        self._advance(batch.start + answer.done)

    def failed(self, batch: Batch, now: float) -> None:
        """The whole batch failed: halve it (which is not a retry), try it again, or give it up."""
        if self._mapping.bisect_batch_on_function_error and len(batch) > 1:
            middle = batch.start + len(batch) // 2
            self._pending[0:1] = [Batch(batch.start, middle), Batch(middle, batch.end)]
            return
        batch.retries += 1
        self._not_before = now + min(2.0 ** min(batch.retries - 1, 60), self._longest_pause)
        if INFINITE != self._mapping.maximum_retry_attempts < batch.retries:
            self._give_up(batch, RETRIES_EXHAUSTED)

    def rewind(self, back: int) -> None:
        """The checkpoint is lost: another poller reads from `back` records earlier, with its own boundaries.

        Checkpoints are taken when windows end, so it goes back to the beginning of one.
        """
        reached = self.position if self.window is None else self.window.first
        self._go_back(self._window_start(max(0, reached - back)))

    def lose_state(self) -> None:
        """The state of the open window is lost, while the position in the shard stays."""
        if self.window:
            self.window.state = {}

    def change(self, mapping: Mapping, lets_in: Callable[[Record], bool]) -> None:
        """The mapping has other settings from now on: for what is read from now on, and for what failed."""
        self._mapping, self._lets_in = mapping, lets_in

    def begin_anew(self) -> None:
        """Position and state are lost: another poller reads from the oldest record on."""
        self._go_back(0)

    def _go_back(self, position: int) -> None:
        self.position = position
        self.window = None
        self._pending.clear()
        self._not_before = 0.0

    def _fetch(self) -> None:
        fresh = self.shard.records[self._fetched :]
        if fresh:
            self._fetched += len(fresh)
            self.records += filter(self._lets_in, fresh)

    def _waits(self) -> int:
        window = self._mapping.batching_window
        if not window or self.shard.closed or is_full(self.records, self.position, self._mapping):
            return 0
        return window

    def _window_ends(self, now: float) -> bool:
        if self.window is None:
            return False
        if self.window.early:
            return True
        if self.position < len(self.records):
            return not same_window(self.records[self.position].at, self.window.start, self._mapping)
        return self.shard.closed or now >= self.window.end

    def _next(self, limit: int) -> Batch:
        if self._mapping.tumbling_window and self.window is None:
            written = self.records[self.position].at
            self.window = Window.of(written, self._mapping.tumbling_window, self.position)
        return Batch(self.position, batch_end(self.records, self.position, self._mapping, limit))

    def _window_start(self, position: int) -> int:
        if not self._mapping.tumbling_window:
            return position
        written = self.records[position].at
        while position > 0 and same_window(self.records[position - 1].at, written, self._mapping):
            position -= 1
        return position

    def _expire(self, now: float) -> None:
        """Give up what is too old: because of the mapping, or because the stream discards it."""
        configured = self._mapping.maximum_record_age
        by_mapping = INFINITE != configured < DAY
        oldest = now - (configured if by_mapping else DAY)
        end = self.position
        while end < len(self.records) and self.records[end].at < oldest:
            end += 1
        if not by_mapping and (through := min(end, self._frontier)) > self.position:
            self._advance(through)  # replayed, and gone from the stream in the meantime: nothing is lost
        if end > self.position:
            tried = self._pending[0] if self._pending else Batch(0, 0)
            self._give_up(replace(tried, start=self.position, end=end), AGE_EXCEEDED if by_mapping else None)

    def _give_up(self, batch: Batch, reason: str | None) -> None:
        self._discard(self, batch, reason)
        if batch.final:
            self.window = None
        self._advance(batch.end)

    def _advance(self, position: int) -> None:
        self.position = position
        self._frontier = max(self._frontier, position)
        rest = [part for part in self._pending if part.end > position]
        if rest and rest[0].start < position:
            rest[0] = Batch(position, rest[0].end)
        self._pending = rest
        self._not_before = 0.0
