"""Lambda's event source mapping between a stream and a handler, with its faults, reproducible from one seed."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from delivery.answers import Accepted, InvalidAnswerError, accept
from delivery.context import Context
from delivery.destination import document
from delivery.faults import NONE, Fault, Faults, happens
from delivery.function import Function, FunctionError, Handler
from delivery.history import Entry, History
from delivery.invocation import Invocation
from delivery.mapping import Mapping
from delivery.pollers import Pollers
from delivery.reader import Batch, Reader
from delivery.records import Record
from delivery.settling import begin, given, settle
from delivery.stream import Stream

_DEEPEST = 4  # invocations that run within others
_MEANWHILE = 3  # the most deliveries while an invocation pauses before a write
_ZOMBIE_WAKES = 0.25
_LONGEST_RUN = 900  # seconds that Lambda lets an invocation run; after that a zombie is dead
_MOST_SHARDS = 32


# Called with each delivery that succeeded, before Lambda goes on: whether it has been settled otherwise.
Settles = Callable[[Reader, Batch, Accepted], bool]


class _Zombie(NamedTuple):
    """An invocation that will run once more, unless Lambda has ended it by then."""

    reader: Reader
    batch: Batch
    event: str
    dies_at: float


class Simulator:
    """Delivers a stream to a handler.

    - `seed`: a number, or a Random of the test's own (Hypothesis has one)
    - `settles`: lets faults strike at deliveries of your choice; those of `faults` come at random
    - `writes`: the hook for whatever the handler writes to
    - `destination`: the documents that the on-failure destination got; `forgotten`: records too old for the stream
    - `history`: every invocation and how it ended; `windows_lost`: how many windows had no last call

    There is one thread: a concurrent invocation runs to its end before one of the other's writes. So the handler must
    make its writes one after the other too.
    """

    def __init__(
        self,
        handler: Handler,
        stream: Stream,
        mapping: Mapping | None = None,
        faults: Faults = NONE,
        *,
        seed: int | Random = 0,
        settles: Settles = lambda *_: False,
    ) -> None:
        self.stream, self.mapping, self.faults, self.seed = stream, mapping or Mapping(), faults, seed
        self.destination: list[dict[str, Any]] = []
        self.forgotten: list[Record] = []
        self.history = History()
        self.windows_lost = 0
        self._settles = settles
        self._random = seed if isinstance(seed, Random) else Random(seed)
        self.writes = Function(handler, self._random)
        self._pollers = Pollers(stream, self.mapping, self._discard)
        self._zombies: list[_Zombie] = []

    @property
    def deliveries(self) -> int:
        """Records handed to the handler so far."""
        return self.history.deliveries

    def step(self) -> bool:
        """Make one delivery, waiting in simulated time if necessary; False if there is none to make."""
        self._change_shards()
        reader = self._next_reader()
        self._zombies = [zombie for zombie in self._zombies if zombie.dies_at >= self.stream.clock.now]
        if self._zombies and (reader is None or happens(_ZOMBIE_WAKES, self._random)):
            self._wake_zombie()
        elif reader is not None:
            self._deliver(reader)
        else:
            return False
        return True

    def drain(self) -> None:
        """Deliver until nothing is left: every record is done or given up, every window has ended."""
        while self.step():
            pass

    def deliver(self, until: float) -> bool:
        """Make all deliveries that are due until an instant in epoch seconds; False if nothing is left to deliver.

        Then it is that instant, or later if handlers have let time pass.
        """
        while (due := self._due()) is not None and due <= until:
            self.step()
        self.stream.clock.wait_until(until)
        return self._due() is not None

    def renew(self) -> None:
        """The mapping is deleted and made anew, with TRIM_HORIZON: all that the stream still has comes again."""
        self._pollers.renew()

    def _change_shards(self) -> None:
        shards = self.stream.open_shards
        if happens(self.faults.roll_over, self._random):
            self.stream.roll_over(self._random.choice(shards))
        elif len(shards) < _MOST_SHARDS and happens(self.faults.split, self._random):
            self.stream.split(self._random.choice(shards))

    def _due(self) -> float | None:
        """When the next delivery can be made; None: not until something is written."""
        return min((due for reader in self._pollers.idle() if (due := reader.due()) is not None), default=None)

    def _next_reader(self) -> Reader | None:
        """A random reader with something to deliver; if there is none, time passes until there is."""
        due = [(at, reader) for reader in self._pollers.idle() if (at := reader.due()) is not None]
        if not due:
            return None
        self.stream.clock.wait_until(min(at for at, _ in due))
        return self._random.choice([reader for at, reader in due if at <= self.stream.clock.now])

    def _deliver(self, reader: Reader) -> None:
        batch = reader.take(self.stream.clock.now, self._limit())
        if batch is None:
            return
        begin(reader, batch)
        event = reader.event(batch, self.stream.source.arn, self._twice(batch))
        fault, write = self.faults.draw(self._random), self.writes.some_write()
        invocation = Invocation(fault, write, lambda this: self._meanwhile(this, reader, batch))
        answer = self._invoke(invocation, reader, batch, event)
        if invocation.abandoned:
            return
        if fault is Fault.ZOMBIE_AFTER:
            self._zombies.append(_Zombie(reader, batch, event, self.stream.clock.now + _LONGEST_RUN))
        self._settle(reader, batch, answer, fault)

    def _twice(self, batch: Batch) -> int | None:
        """Which record of a batch comes twice, if any."""
        if len(batch) and happens(self.faults.doubled, self._random):
            return self._random.randrange(len(batch))
        return None

    def _limit(self) -> int:
        size = self.mapping.batch_size
        return self._random.randint(1, size) if happens(self.faults.short_batch, self._random) else size

    def _invoke(self, invocation: Invocation, reader: Reader, batch: Batch, event: str) -> Accepted | None:
        """The function's answer to a batch; None: it failed."""
        records = reader.records_of(batch)
        number = self.history.began(len(records))
        answer = None
        try:
            answer = accept(self.writes.run(invocation, event), records, self.mapping)
            outcome = "succeeded" if answer.done == len(records) else f"succeeded with the first {answer.done}"
        except (FunctionError, InvalidAnswerError) as error:
            batch.raised, outcome = isinstance(error, FunctionError), f"failed, {error}"
        now = self.stream.clock.now
        self.history.ended(Entry.of(number, now, reader.shard.id, records, invocation.struck, outcome))
        return answer

    def _settle(self, reader: Reader, batch: Batch, answer: Accepted | None, fault: Fault | None) -> None:
        """Do with the shard what Lambda does next."""
        settled = answer is not None and fault is None and self._settles(reader, batch, answer)
        if not settled:
            settle(reader, batch, answer, self.stream.clock.now, fault, self._back)
        if reader.window and happens(self.faults.state_lost, self._random):
            reader.lose_state()
        if reader.is_read and happens(self.faults.window_lost, self._random):
            reader.window = None
            self.windows_lost += 1

    def _back(self) -> int:
        """By how many records a lost checkpoint goes back."""
        return self._random.randint(1, self.faults.rewind)

    def _meanwhile(self, standing: Invocation, reader: Reader, batch: Batch) -> None:
        """Let others run while an invocation pauses before a write; if it is abandoned, its own shard goes on."""
        if self.writes.depth >= _DEEPEST:
            return
        if standing.fault is Fault.ZOMBIE_BESIDE:
            standing.abandoned, reader.busy = True, False
            reader.failed(batch, self.stream.clock.now)
        dies_at = self.stream.clock.now + _LONGEST_RUN
        for _ in range(self._random.randint(1, _MEANWHILE)):
            following = reader if standing.abandoned else self._next_reader()
            if following is None or following.busy or (due := following.due()) is None or due > dies_at:
                return
            self.stream.clock.wait_until(due)
            self._deliver(following)

    def _wake_zombie(self) -> None:
        zombie = self._zombies.pop(self._random.randrange(len(self._zombies)))
        self._invoke(Invocation(None, 0, lambda _: None), zombie.reader, zombie.batch, zombie.event)

    def _discard(self, reader: Reader, batch: Batch, reason: str | None) -> None:
        if reason is None:
            self.forgotten += reader.records_of(batch)
        elif up := given(reader, batch, reason, self.mapping, self.stream.source.arn):
            number = len(self.destination) + 1
            made = document(up, self.stream.clock.now, number, Context().invoked_function_arn)
            self.destination.append(made)
