"""Somebody's own table, whose stream a hostile Lambda delivers to the consumer of its views, in a time of its own."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from delivery import HOSTILE, NONE, Clock, Context, Faults, Items, Reads, Simulator, Source, Stream, WriteHook, install
from delivery import Mapping as Settings
from delivery.boto import WRITES
from edgewise import surroundings
from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import CONFIG
from edgewise.own.consumer import BEAT, STREAM, STREAM_BESIDE
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.own.table import BESIDE, TABLE, OwnTable
from edgewise.testing.requests import Indexes, indexed, table_request, written
from edgewise.times import SECOND, Millis
from edgewise.views.consumer import consumer
from edgewise.views.view import View

# As the construct has it, with smaller batches.
SETTINGS = Settings(batch_size=12, tumbling_window=10)
# As many as there are ways through the stream, and one more to find a name for each shard.
BEATS, BEAT_SECONDS = 4, 60
# No fault lasts as long, in seconds and in deliveries, as what comes again for ever.
LONGEST, MOST_DELIVERIES = 12 * 3600, 20_000


class EndlessError(Exception):
    """Something comes again and again although nobody writes anything."""


class Delivered:
    """A table, with what its owner writes and what the engine writes, each in a stream of its own if they are apart.

    `endpoint`: of DynamoDB, if not the usual one. The names of its tables are free there.
    """

    # What is called around each write of the engine's.
    hook: WriteHook
    settings = SETTINGS

    def __init__(
        self,
        own: OwnTable,
        seed: int,
        faults: Faults = HOSTILE,
        indexes: Indexes | None = None,
        shards: int = 3,
        *,
        name: str,
        endpoint: str | None = None,
    ) -> None:
        self.own, self.seed, self.faults, self.name = own, seed, faults, name
        self.owner, self.engine = (dynamodb_client.client(CONFIG, endpoint) for _ in range(2))
        self.beside = "" if own.has_room else f"{name}-totals"
        self.keys = [own.partition, own.sort] if own.sort else [own.partition]
        self.owner.create_table(**table_request(own, name, {**(indexes or {}), **indexed(own)}))
        self.streams = {name: Stream(_source(name, self.keys), shards=shards)}
        if self.beside:
            apart = OwnTable("PK", "SK")
            self.owner.create_table(**table_request(apart, self.beside, indexed(apart)))
            self.streams[self.beside] = Stream(_source(self.beside, ["PK", "SK"]), shards=2)
        self.reads = Reads(*self.streams.values())
        self.items = {name: Items(stream) for name, stream in self.streams.items()}
        for client in (self.owner, self.engine):
            for operation in WRITES:
                client.meta.events.register_first(f"needs-retry.dynamodb.{operation}", self._recorded)
        self.simulators: list[Simulator] = []
        self._chance, self._expires = Random(f"{seed} names"), False

    def deploy(self, *declared: type[View]) -> None:
        """Let a new release keep these views, from now on."""
        kept = consumer(*declared, table=lambda: self.table)
        self.table = self.own.opened_by(self.engine, self.name, self.beside, kept.items)
        self.handler, self.operators = kept, kept.operators
        if self.simulators:
            return
        for number, stream in enumerate(self.streams.values()):
            self.simulators.append(Simulator(self._handle, stream, self.settings, self.faults, seed=self.seed + number))
        self.hook = _All(self.simulators)
        install(self.engine, _Present(self))

    @contextmanager
    def before(self) -> Iterator[None]:
        """What is written inside was stored before anybody read the stream."""
        items, stream = self.items[self.name], self.streams[self.name]
        items._stream = Stream(stream.source)
        yield
        items._stream = stream

    def command(self, steps: int = 1000, **command: Any) -> Any:
        """What an operator is answered; it has time for so many steps."""
        return self.operators(command, _Patient(steps))

    def expire(self, key: Item) -> None:
        """Let the table's time to live remove an item."""
        self._expires = True
        try:
            self.owner.delete_item(TableName=self.name, Key=key)
        finally:
            self._expires = False

    @contextmanager
    def surrounded(self) -> Iterator[None]:
        """Inside, the process has the time, the chance and the streams of this world, and finds its tables."""
        arns = [stream.source.arn for stream in self.streams.values()]
        named = {TABLE: self.name, BESIDE: self.beside, STREAM: arns[0], STREAM_BESIDE: "".join(arns[1:])}
        with environment(named), surroundings.replaced(self._surroundings()):
            yield

    @contextmanager
    def delivered(self) -> Iterator[None]:
        """What is written inside is delivered to the end."""
        with self.surrounded():
            yield
            self.drain()

    def beat(self) -> Freshness:
        """What readers know once all is delivered, and heartbeats have told so."""
        with self.calm():
            for _ in range(BEATS):
                self.wait(BEAT_SECONDS)
                self.handler(dict(BEAT), Context())
                self.drain()
        return freshness_of(self.table)

    @contextmanager
    def calm(self) -> Iterator[None]:
        """Nothing goes wrong inside. A heartbeat that comes again writes something, which comes by the same stream."""
        for simulator in self.simulators:
            simulator.faults = NONE
        yield
        for simulator in self.simulators:
            simulator.faults = self.faults

    def step(self) -> None:
        """Let some invocation happen, or not."""
        for simulator in self.simulators:
            simulator.step()

    def drain(self) -> None:
        """Deliver all, also what the engine writes meanwhile; raises EndlessError."""
        began, deliveries = self.clock.now, 0
        while any([simulator.step() for simulator in self.simulators]):
            deliveries += 1
            if deliveries > MOST_DELIVERIES or self.clock.now - began > LONGEST:
                raise EndlessError(str(self.simulators[0].history.entries[-1]))

    def all(self, mine: Callable[[Any], bool]) -> list[Any]:
        """The items that the table has now, of which a function says so."""
        return [item for item in self.items[self.name].all() if mine(item)]

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for stream in self.streams.values():
            stream.clock.advance(seconds)

    @property
    def clock(self) -> Clock:
        """The clock of the table's stream."""
        return self.streams[self.name].clock

    def _surroundings(self) -> surroundings.Surroundings:
        def now() -> Millis:
            return int(self.clock.now * SECOND)

        return surroundings.in_turn(now, self.wait, self._chance, lambda: self.reads)

    def _handle(self, event: Any, context: Any) -> Any:
        return self.handler(event, context)

    def _recorded(self, response: Any, request_dict: Any, **_: Any) -> None:
        if response is None or response[0].status_code >= 300:
            return
        keys = {self.name: self.keys, self.beside: ["PK", "SK"]}
        for table, key in written(json.loads(request_dict["body"]), keys):
            found = self.owner.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
            items = self.items[table]
            if found:
                items.put(found)
            elif self._expires:
                items.expire(key)
            else:
                items.delete(key)


@contextmanager
def environment(named: Mapping[str, str | None]) -> Iterator[None]:
    """Inside, the environment has these variables; those that are None it has not."""
    former = {name: os.environ.get(name) for name in named}
    _set(named)
    try:
        yield
    finally:
        _set(former)


def _set(named: Mapping[str, str | None]) -> None:
    for name, value in named.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


class _Present:
    """The hook that a table has at the moment."""

    def __init__(self, of: Delivered) -> None:
        self._of = of

    def before(self) -> None:
        self._of.hook.before()

    def after(self) -> bool:
        return self._of.hook.after()


class _All:
    """The hooks of all simulators; only one of them invokes the function at a time."""

    def __init__(self, simulators: Sequence[Simulator]) -> None:
        self._hooks = [simulator.writes for simulator in simulators]

    def before(self) -> None:
        for hook in self._hooks:
            hook.before()

    def after(self) -> bool:
        return any([hook.after() for hook in self._hooks])


class _Patient:
    """The context of an operator's command, which has time for some steps."""

    function_name = memory_limit_in_mb = invoked_function_arn = aws_request_id = "operators"

    def __init__(self, steps: int) -> None:
        self._left = iter(range(steps))

    def get_remaining_time_in_millis(self) -> int:
        return 0 if next(self._left, None) is None else 600_000


def _source(name: str, keys: Sequence[str]) -> Source:
    return Source(keys=keys, arn=f"arn:aws:dynamodb:us-east-1:123456789012:table/{name}/stream/2026-11-01T00:00:00.000")
