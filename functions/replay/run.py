"""The course of a run: the real consumer, delivered by the simulator, while a script breaks it, over a table in memory.

Whatever strikes is what strikes a stage (functions/faults/), in simulated time. What arrives follows from the seed, and
what is done from the script, so the same two give the same run. Nothing here knows of a table that is stored.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, cast

from delivery import Accepted, Batch, Clock, Context, Reader, Simulator, Stream
from delivery import Mapping as Settings
from edgewise import Millis
from edgewise.aggregates.carriers.carrying import CARRIES
from edgewise.aggregates.checkpoints import shard_name
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.freshness import heartbeats
from edgewise.freshness.hops import HEARTBEAT
from edgewise.freshness.telling import Teller
from edgewise.stream.redrive import redriven
from edgewise.times import SECOND
from functions.catalog import CATALOG, FOLLOW_UPS
from functions.faults import breaking
from functions.faults.misdelivering import possible, strike
from functions.replay.arrivals import Arrival, arrivals
from functions.replay.table import RunTable
from functions.systems.proof import store
from functions.systems.proof.entity import Act, Click, Done, Misdelivered

SHARDS: Final = 2
# As infra/edge_stream.py has them, but for windows, which end while somebody looks.
_DELIVERED: Final = {"Type": {"S": [{"anything-but": list(CATALOG.undelivered_types)}]}}
SETTINGS: Final = Settings(
    batch_size=1000,
    batching_window=1,
    tumbling_window=10,
    filters=[
        *({"dynamodb": {image: _DELIVERED}} for image in ("NewImage", "OldImage")),
        *({"dynamodb": {"NewImage": {name: {"S": [{"exists": True}]}}}} for name in (CLOSING, CARRIES)),
    ],
)
# Something arrives for so long at least, and for so long after the last click.
LEAST_SECONDS, AFTER_SECONDS = 60, 20
# Then all is delivered within so long, unless the consumer fails for ever.
MOST_SECONDS: Final = 90
# How long an invocation takes, in seconds: no two batches of a shard are delivered at the same instant.
TOOK: Final = 0.02
# When in a second the script goes on, and somebody looks: nothing is delivered just then.
BETWEEN: Final = 0.5


class Clicked(NamedTuple):
    """What the script did, and when. `of`: the record that was redriven."""

    at: Millis
    act: Act
    of: str | None = None


class Run:
    """A run that has not begun. Its process must have its time (functions/replay/apart.py).

    `arrived`: what was written so far; `clicked`: what the script has done.
    """

    def __init__(self, seed: int, script: Sequence[Click]) -> None:
        self.clock = Clock()
        self.stream = Stream(shards=SHARDS, clock=self.clock)
        self.table = RunTable(self.stream)
        self.arrived: list[Arrival] = []
        self.clicked: list[Clicked] = []
        self.began = self.now
        last = max((each.second for each in script), default=0)
        seconds = max(LEAST_SECONDS, last + AFTER_SECONDS)
        self._ends = seconds + MOST_SECONDS
        self._arriving = deque(arrivals(Random(f"{seed} arrives"), self.began, seconds))
        self._script = deque(script)
        self._beats_at = self.began
        self._teller = Teller()
        self._simulator = Simulator(self._consume, self.stream, SETTINGS, seed=seed, settles=self._misdelivered)

    @property
    def now(self) -> Millis:
        """The run's time."""
        return round(self.clock.now * SECOND)

    def go_on(self) -> bool:
        """Let a second pass, with what arrives, is done and is delivered in it; False: nothing is left to happen."""
        if self.now >= self._beats_at and self._arriving:
            self._beat()
        while self._script and self._script[0].second <= self._second:
            self._do(self._script.popleft().act)
        self._arrive()
        second = math.floor(self.clock.now + BETWEEN)
        left = self._simulator.deliver(until=second + BETWEEN)
        return bool(left or self._arriving or self._script) and self._second < self._ends

    def wait(self, seconds: float) -> None:
        """Let time pass while an invocation runs; what arrives meanwhile does not wait for it."""
        self.clock.advance(seconds)
        self._arrive()

    @property
    def _second(self) -> int:
        return (self.now - self.began) // SECOND

    def _arrive(self) -> None:
        while self._arriving and self._arriving[0].second <= self._second:
            self.arrived.append(self._arriving.popleft())
            self.table.put_many([self.arrived[-1].item])

    def _beat(self) -> None:
        """As the schedule does (functions/handlers/heartbeat.py), which here surveys the shards each time."""
        self._beats_at += HEARTBEAT
        surveyed = heartbeats.survey(self.table, lambda: heartbeats.of_stream(self.stream.source.arn))
        heartbeats.beat(self.table, surveyed)

    def _do(self, act: Act) -> None:
        if act == "redrive":
            records = redriven(self.table, FOLLOW_UPS, lambda: True)
            self.clicked += [Clicked(self.now, act, f"{each.shard} {each.sequence}") for each, _ in records]
        else:
            store.ask(self.table, act, "", lambda _: None)
            self.clicked.append(Clicked(self.now, act))

    def _consume(self, event: dict[str, Any], context: Context) -> Mapping[str, Any]:
        self.wait(TOOK)
        return breaking.absorb(self.table, CATALOG, self._teller, event, context)

    def _misdelivered(self, reader: Reader, batch: Batch, answer: Accepted) -> bool:
        """Let happen to a delivery what is asked for; whether anything did."""
        asked = store.asked(self.table)
        fault = asked.first(possible(reader, batch, answer), "", self.now) if asked.faults else None
        if fault is None:
            return False
        what = strike(cast(Misdelivered, fault.kind), self.stream, reader, batch, answer, self.clock.now)
        self.table.transact(store.taken(asked, Done(fault, self.now, shard_name(reader.shard.id), what)))
        return True
