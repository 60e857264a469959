"""One mapping at work: it calls its function with what is due in each shard, and goes on by what that answers.

The rules are those of the delivery simulator (delivery/): here time is real, and a function runs while others do.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any, NamedTuple

from delivery.answers import Accepted, InvalidAnswerError, accept
from delivery.destination import document
from delivery.faults import Fault
from delivery.function import FunctionError
from delivery.pollers import Pollers
from delivery.reader import Batch, Reader
from delivery.settling import begin, given, settle
from delivery.stream import Stream
from local.stream.deployed import Deployed

# Between two attempts, since somebody may be mending the function meanwhile. AWS documents no pause.
LONGEST_PAUSE = 8.0
Tell = Callable[[str], None]
# The answer of a function (its ARN) to an event (JSON); raises FunctionError.
Invoke = Callable[[str, str], Any]
# Sends the text of a document to a destination (its ARN).
Send = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True)
class Asked:
    """What is to happen to the next delivery of a shard, beside what Lambda would do.

    `limit`: it has so many records at most. `fault`: REPEATED, the batch comes again as it is; REWOUND, the shard is
    read again, from `back` records earlier on; ANSWER_LOST, it counts as failed. `state_lost`: once it is done, the
    state of the window is lost.
    """

    limit: int | None = None
    fault: Fault | None = None
    back: int = 0
    state_lost: bool = False


_NOTHING = Asked()


class _Running(NamedTuple):
    reader: Reader
    batch: Batch
    call: "Future[Any]"
    asked: Asked


class Outside(NamedTuple):
    """What a lane needs of the world: who calls functions, what runs calls, where documents go, and who is told."""

    invoke: Invoke
    calls: Executor
    send: Send
    tell: Tell


class Lane:
    """Delivers a stream to the function of a mapping; whoever calls it holds the one lock of the program."""

    def __init__(self, stream: Stream, deployed: Deployed, outside: Outside) -> None:
        self.deployed = deployed
        self._stream, self._outside = stream, outside
        self._pollers = Pollers(stream, deployed.settings, self._discard, LONGEST_PAUSE)
        self._running: list[_Running] = []
        self._asked: dict[str, Asked] = {}
        self._given_up = 0

    def change(self, deployed: Deployed) -> None:
        """The mapping was deployed anew, stopped or resumed."""
        if deployed.settings != self.deployed.settings:
            self._pollers.change(deployed.settings)
        self.deployed = deployed

    def ask(self, shard_id: str, asked: Asked) -> None:
        """Let something happen to the next delivery of a shard."""
        self._asked[shard_id] = asked

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
    def left(self) -> int:
        """How many records are still to be delivered, of the shards that have begun."""
        return self._pollers.left

    def _begin(self, reader: Reader) -> None:
        now, due = self._stream.clock.now, reader.due()
        if due is None or due > now:
            return
        asked = self._asked.get(reader.shard.id, _NOTHING)
        batch = reader.take(now, asked.limit or self.deployed.settings.batch_size)
        if batch is None:
            return
        self._asked.pop(reader.shard.id, None)
        begin(reader, batch)
        event = reader.event(batch, self._stream.source.arn)
        call = self._outside.calls.submit(self._outside.invoke, self.deployed.function, event)
        self._running.append(_Running(reader, batch, call, asked))

    def _settle(self, ended: _Running) -> None:
        reader, batch, asked = ended.reader, ended.batch, ended.asked
        answer = self._answer(ended)
        settle(reader, batch, answer, self._stream.clock.now, asked.fault, lambda: asked.back)
        if asked.state_lost:
            reader.lose_state()

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
