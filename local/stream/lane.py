"""One mapping at work: it calls its function with what is due in each shard, and goes on by what that answers.

The rules are those of the delivery simulator (delivery/): here time is real, and a function runs while others do.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple, cast

from delivery.answers import Accepted, InvalidAnswerError, accept
from delivery.destination import document
from delivery.function import FunctionError
from delivery.pollers import Pollers
from delivery.reader import Batch, Reader
from delivery.settling import begin, given, settle
from delivery.stream import Stream
from edgewise.aggregates.checkpoints import shard_name
from functions.faults.misdelivering import names, possible, strike
from functions.systems.proof.entity import Misdelivered
from local.stream.deployed import Deployed
from local.stream.misdeliveries import Misdeliveries

# Between two attempts, since somebody may be mending the function meanwhile. AWS documents no pause.
LONGEST_PAUSE = 8.0
Tell = Callable[[str], None]
# The answer of a function (its ARN) to an event (JSON); raises FunctionError.
Invoke = Callable[[str, str], Any]
# Sends the text of a document to a destination (its ARN).
Send = Callable[[str, dict[str, Any]], None]


class _Running(NamedTuple):
    reader: Reader
    batch: Batch
    call: "Future[Any]"


class Outside(NamedTuple):
    """What a lane needs of the world: who calls functions, what runs calls, where documents go, and who is told."""

    invoke: Invoke
    calls: Executor
    send: Send
    tell: Tell


class Lane:
    """Delivers a stream to the function of a mapping; whoever calls it holds the one lock of the program."""

    def __init__(self, stream: Stream, deployed: Deployed, outside: Outside, asked: Misdeliveries) -> None:
        self.deployed = deployed
        self._stream, self._outside, self._asked = stream, outside, asked
        self._pollers = Pollers(stream, deployed.settings, self._discard, LONGEST_PAUSE)
        self._running: list[_Running] = []
        self._given_up = 0

    def change(self, deployed: Deployed) -> None:
        """The mapping was deployed anew, stopped or resumed."""
        if deployed.settings != self.deployed.settings:
            self._pollers.change(deployed.settings)
        self.deployed = deployed

    def step(self) -> None:
        """Go on behind the calls that have ended, and begin those that are due."""
        ended = [each for each in self._running if each.call.done()]
        self._running = [each for each in self._running if not each.call.done()]
        for each in ended:
            self._settle(each)
        if self.deployed.enabled:
            for reader in self._pollers.idle():
                self._begin(reader)

    def due(self) -> float | None:
        """When there is something to do, in epoch seconds; None: not until something is written, or a call ends."""
        if any(each.call.done() for each in self._running):
            return self._stream.clock.now
        return min((due for reader in self._pollers.idle() if (due := reader.due()) is not None), default=None)

    def is_done(self, upto: int) -> bool:
        """Whether all records up to this number are delivered, and their windows have ended."""
        return self._pollers.is_done(upto)

    @property
    def is_behind(self) -> bool:
        """Whether windows come faster than this machine delivers them."""
        return self.deployed.enabled and self._pollers.is_behind(self._stream.clock.now)

    @property
    def left(self) -> int:
        """How many records are still to be delivered, of the shards that have begun."""
        return self._pollers.left

    def _begin(self, reader: Reader) -> None:
        now, due = self._stream.clock.now, reader.due()
        if due is None or due > now:
            return
        batch = reader.take(now, self.deployed.settings.batch_size)
        if batch is None:
            return
        begin(reader, batch)
        event = reader.event(batch, self._stream.source.arn)
        call = self._outside.calls.submit(self._outside.invoke, self.deployed.function, event)
        self._running.append(_Running(reader, batch, call))

    def _settle(self, ended: _Running) -> None:
        reader, batch, answer = ended.reader, ended.batch, self._answer(ended)
        if not (answer and self._misdelivered(reader, batch, answer)):
            settle(reader, batch, answer, self._stream.clock.now, None, lambda: 0)

    def _misdelivered(self, reader: Reader, batch: Batch, answer: Accepted) -> bool:
        """Settle a batch otherwise if somebody asked for that; whether it was.

        They mean the consumer, the only reader that has windows: the cascade has none. What comes again comes at once,
        so a mapping that is stopped meanwhile is left alone.
        """
        if not (self._asked.waiting.faults and self.deployed.settings.tumbling_window and self.deployed.enabled):
            return False
        fault = self._asked.due(names(self._stream, reader.shard), possible(reader, batch, answer))
        if fault is None:
            return False
        what = strike(cast(Misdelivered, fault.kind), self._stream, reader, batch, answer, self._stream.clock.now)
        self._asked.happened(fault, shard_name(reader.shard.id), what)
        self._say(reader, what)
        return True

    def _answer(self, ended: _Running) -> Accepted | None:
        """The function's answer; None: it failed."""
        records = ended.reader.records_of(ended.batch)
        try:
            return accept(ended.call.result(), records, self.deployed.settings)
        except (FunctionError, InvalidAnswerError) as error:
            ended.batch.raised = isinstance(error, FunctionError)
            self._say(ended.reader, f"{len(records)} records failed: {error}")
            return None

    def _discard(self, reader: Reader, batch: Batch, reason: str | None) -> None:
        self._say(reader, f"{len(batch)} records were given up: {reason or 'they have left the stream'}")
        to = self.deployed.destination
        up = given(reader, batch, reason, self.deployed.settings, self._stream.source.arn) if reason else None
        if up and to:
            self._given_up += 1
            self._outside.send(to, document(up, self._stream.clock.now, self._given_up, self.deployed.function))

    def _say(self, reader: Reader, what: str) -> None:
        self._outside.tell(f"{self.deployed.function.rpartition(':')[2]} {reader.shard.id}: {what}")
