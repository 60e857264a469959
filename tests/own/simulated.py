"""A shop under any delivery, drawn from one seed: what goes wrong around its function, and how it comes to rest."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

from botocore.exceptions import ClientError
from moto import mock_aws

from delivery import HOSTILE, Fault, KilledError, WriteHook
from delivery.invocation import Invocation
from edgewise.aggregates.checkpoints import shard_name
from edgewise.dynamodb.attributes import Item
from edgewise.errors import PassingError
from edgewise.freshness.known import read
from edgewise.freshness.shards import Heartbeat, heartbeat_item
from edgewise.freshness.telling import Teller
from edgewise.own.closed import QUIET
from edgewise.own.consumer import SWEEP
from edgewise.testing.delivered import EndlessError as EndlessError
from edgewise.times import DAY, SECOND
from tests.conftest import DUE, ENV, FOREIGN_ENV
from tests.delivery.terse import terse
from tests.own.shapes import ADDRESS, SHAPES
from tests.support.http import Context
from tests.support.own_tables import BESIDE, NAME, Shop

# Of many shards, most are quiet. How many records an answer of the stream has.
SHARDS, PAGES = (2, 6), (1, 10, 1000)
FAULTS = replace(HOSTILE, doubled=0.02, window_lost=0.2, split=0.003, roll_over=0.01)
OF_COMMANDS = (None, Fault.KILLED_BEFORE, Fault.KILLED_AFTER, Fault.WRITE_REPEATED, Fault.THROTTLED, Fault.RACED)
# Numbers that no order has, for what touches shards.
FREE = range(100, 1000)


class Simulated(Shop):
    """A shop whose table has the shape of its seed; before writes of the engine's, and beside commands, others run."""

    def __init__(self, seed: int) -> None:
        self.random, self.shape = Random(seed), SHAPES[seed % len(SHAPES)]
        super().__init__(self.shape.own, seed, FAULTS, shards=self.random.choice(SHARDS))
        self.reads.page = self.random.choice(PAGES)
        # Of each shard of the shop's own stream, the last record that the function has taken.
        self.taken = dict[str, int]()
        self._ended = 0

    def watch(self) -> None:
        """Let others run before writes, from now on."""
        self._watching = _Watching(self.before_write, self.hook)
        self.hook = self._watching

    def before_write(self) -> None:
        """What happens before a write of the engine's."""

    def run_beside(self) -> None:
        """What happens while a command pauses."""

    def attempt(self, **command: Any) -> Any:
        """Do what an operator asks for: others run beside it, or the function dies at a write, and answers nothing."""
        fault, write = self.random.choice(OF_COMMANDS), self.random.randint(1, 12)
        self.hook = Invocation(fault, write, lambda _: self._beside())
        try:
            with suppress(KilledError, PassingError, ClientError):
                return self.command(**command)
        finally:
            self.hook = self._watching
        return {}

    def come_to_rest(self) -> None:
        """All is delivered, and a sweep has ended the windows that closed shards have lost; raises EndlessError."""
        self.drain()
        lost = sum(simulator.windows_lost for simulator in self.simulators)
        if lost > self._ended:
            self._ended = lost
            with self.calm():
                self.wait(QUIET / SECOND + 1)
                self.handler(dict(SWEEP), Context())
                if self._untold():
                    self._touch_shards()
                self.drain()
        assert not any(simulator.forgotten for simulator in self.simulators), "that would excuse wrong numbers"

    def wait(self, seconds: float) -> None:
        """Let time pass. While a command waits, others run."""
        super().wait(seconds)
        if isinstance(self.hook, Invocation):
            self._beside()

    def put_address(self, group: int, number: int) -> None:
        """The owner puts what is no order."""
        item: Item = {"where": {"S": f"{self.random.random()}"}, "status": {"S": "open"}}
        self.owner.put_item(TableName=NAME, Item={**self.shape.key(group, number, ADDRESS), **item})

    @property
    def now(self) -> float:
        """The time, in epoch seconds."""
        return self.streams[NAME].clock.now

    def _handle(self, event: Any, context: Any) -> Any:
        answer, shard = super()._handle(event, context), event["shardId"]
        if event["eventSourceARN"] == self.streams[NAME].source.arn:
            numbers = (int(record["dynamodb"]["SequenceNumber"]) for record in event["Records"])
            self.taken[shard] = max([self.taken.get(shard, 0), *numbers])
        return answer

    def _beside(self) -> None:
        interrupted, self.hook = self.hook, self._watching
        self.run_beside()
        self.hook = interrupted

    def _untold(self) -> bool:
        """Whether the table took nothing that tells of some closed shard: then no sweep ends its last window."""
        told, since = read(self.table).watermarks, self.now - DAY / SECOND
        closed = ((name, each) for name, stream in self.streams.items() for each in stream.shards if each.closed)
        lately = ((name, each.id) for name, each in closed if each.records and each.records[-1].at > since)
        return any(("beside " * (name == BESIDE)) + shard_name(each) not in told for name, each in lately)

    def _touch_shards(self) -> None:
        """Each open shard gets a record: what its parent has lost is noticed then."""
        for name, stream in self.streams.items():
            touched = set[int]()
            for number in FREE:
                beat = heartbeat_item(Heartbeat(f"{number}", int(self.now * SECOND)))
                item = self.shape.key(number, 0, ADDRESS) if name == NAME else beat
                if (low := stream.shard_of(item).low) not in touched:
                    touched.add(low)
                    self.put_address(number, 0) if name == NAME else self.items[BESIDE].put(item)


class _Watching:
    """The hook of all deliveries, before whose writes others run."""

    def __init__(self, others: Callable[[], None], deliveries: WriteHook) -> None:
        self._others, self._deliveries = others, deliveries

    def before(self) -> None:
        self._others()
        self._deliveries.before()

    def after(self) -> bool:
        return self._deliveries.after()


@contextmanager
def reproducible() -> Iterator[None]:
    """Nobody's environment is there inside, and no cloud; all else depends on the seed of a shop."""
    with (
        patch.dict(os.environ, ENV),
        patch.object(Teller, "is_due", DUE),
        mock_aws(),
        terse(),
    ):
        for name in FOREIGN_ENV:
            os.environ.pop(name, None)
        yield
