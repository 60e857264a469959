"""Somebody's own table on moto, whose stream a hostile Lambda delivers to the consumer of its views."""

import json
from base64 import b64decode
from collections import abc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from moto import mock_aws

from delivery import NONE, Faults, Items, Mapping, Reads, Simulator, Source, Stream, WriteHook, install
from delivery.boto import WRITES
from edgewise import OwnTable, aws, clock, consumer
from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.dynamodb.existing import INDEX, INDEX_PARTITION, INDEX_SORT, LISTED
from edgewise.dynamodb.schema import create_table_request
from edgewise.dynamodb.table import CONFIG
from edgewise.freshness.known import Known
from edgewise.freshness.shards import NO_PARENT, Shards
from edgewise.freshness.watermarks import Reached, Watermark
from edgewise.own import marking
from edgewise.own.consumer import BEAT, STREAM
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.own.table import BESIDE as BESIDE_NAME
from edgewise.stream import writer
from edgewise.times import DAY, SECOND
from edgewise.views import View
from functions.replay.apart import OneByOne
from tests.delivery.simulated import HOSTILE
from tests.support.http import Context

NAME, BESIDE = "shop", "shop-totals"
# Indexes of the owner by name: of each, the forms of its keys by name.
Indexes = abc.Mapping[str, abc.Mapping[str, str]]
MINUTE = 60 * SECOND
_LATE = 100 * 365 * DAY
_SHARD = Watermark("a", 1, tuple(Reached(at, at, at, at) for at in range(_LATE, _LATE + MINUTE, MINUTE // 6)))
# As if heartbeats had told something: for tests of what may make a total incomplete beside what is on its way.
TOLD = Freshness(Known(Shards(1, {"a": NO_PARENT}), {"a": _SHARD}), _LATE + MINUTE)
# As many as there are ways through the stream, and one more to find a name for each shard.
BEATS, BEAT_SECONDS = 4, 60
MAPPING = Mapping(batch_size=12, tumbling_window=10)


class Shop:
    """A table, with what its owner writes and what the engine writes, each in a stream of its own if they are apart."""

    # What is called around each write of the engine's.
    hook: WriteHook

    def __init__(
        self, own: OwnTable, seed: int, faults: Faults = HOSTILE, indexes: Indexes | None = None, shards: int = 3
    ) -> None:
        self.own, self.seed, self.faults = own, seed, faults
        self.owner, self.engine = dynamodb_client.client(CONFIG), dynamodb_client.client(CONFIG)
        self.beside = "" if own.has_room else BESIDE
        self.keys = [own.partition, own.sort] if own.sort else [own.partition]
        mine = {INDEX: {INDEX_PARTITION: "S", INDEX_SORT: "S"}} if own.has_room else {}
        self.owner.create_table(**table_request(own, {**(indexes or {}), **mine}))
        self.streams = {NAME: Stream(_source(NAME, self.keys), shards=shards)}
        if self.beside:
            request = create_table_request(BESIDE)
            del request["StreamSpecification"]  # moto would copy all of its records before each transaction
            self.owner.create_table(**request)
            self.streams[BESIDE] = Stream(_source(BESIDE, ["PK", "SK"]), shards=2)
        self.reads = Reads(*self.streams.values())
        self.items = {name: Items(stream) for name, stream in self.streams.items()}
        for client in (self.owner, self.engine):
            for operation in WRITES:
                client.meta.events.register_first(f"needs-retry.dynamodb.{operation}", self._recorded)
        self.simulators: list[Simulator] = []

    def deploy(self, *declared: type[View]) -> None:
        """Let a new release keep these views, from now on."""
        kept = consumer(*declared, table=lambda: self.table)
        self.table = self.own.opened_by(self.engine, NAME, self.beside, kept.items)
        self.handler, self.operators = kept, kept.operators
        if self.simulators:
            return
        for number, stream in enumerate(self.streams.values()):
            self.simulators.append(Simulator(self._handle, stream, MAPPING, self.faults, seed=self.seed + number))
        self.hook = _All(self.simulators)
        install(self.engine, _Present(self))

    @contextmanager
    def before(self) -> Iterator[None]:
        """What is written inside was stored before anybody read the stream."""
        items, stream = self.items[NAME], self.streams[NAME]
        items._stream = Stream(stream.source)
        yield
        items._stream = stream

    def command(self, steps: int = 1000, **command: Any) -> Any:
        """What an operator is answered; it has time for so many steps."""
        return self.operators(command, _Patient(steps))

    def expire(self, key: Item) -> None:
        """Let the table's time to live remove an item."""
        with patch.object(Items, "delete", Items.expire):
            self.owner.delete_item(TableName=NAME, Key=key)

    @contextmanager
    def delivered(self) -> Iterator[None]:
        """What is written inside is delivered to the end."""
        with (
            patch.dict("os.environ", {BESIDE_NAME: self.beside, STREAM: self.streams[NAME].source.arn}),
            patch.object(clock, "now", lambda: int(self.streams[NAME].clock.now * SECOND)),
            # The simulator disturbs one write after the other.
            patch.object(writer, "ThreadPoolExecutor", OneByOne),
            patch.object(marking, "ThreadPoolExecutor", OneByOne),
            patch("edgewise.own.marking.time.sleep", self.wait),
            patch.object(aws, "streams", lambda: self.reads),
        ):
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
        """Deliver all, also what the engine writes meanwhile."""
        for _ in self.simulators:
            for simulator in self.simulators:
                simulator.drain()

    def all(self, mine: Callable[[Any], bool]) -> list[Any]:
        """The items that the table has now, of which a function says so."""
        return [item for item in self.items[NAME].all() if mine(item)]

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for stream in self.streams.values():
            stream.clock.advance(seconds)

    def _handle(self, event: Any, context: Any) -> Any:
        return self.handler(event, context)

    def _recorded(self, response: Any, request_dict: Any, **_: Any) -> None:
        if response is not None and response[0].status_code < 300:
            for table, key in _written(json.loads(request_dict["body"]), {NAME: self.keys, BESIDE: ["PK", "SK"]}):
                found = self.owner.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
                items = self.items[table]
                items.put(found) if found else items.delete(key)


@contextmanager
def deployed(own: OwnTable, *declared: type[View]) -> Iterator[Shop]:
    """Give a shop in memory whose function has been deployed with these views, without faults of the delivery."""
    with mock_aws():
        made = Shop(own, 4, NONE)
        made.deploy(*declared)
        yield made


class _Present:
    """The hook that a shop has at the moment."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def before(self) -> None:
        self._shop.hook.before()

    def after(self) -> bool:
        return self._shop.hook.after()


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
    function_name = memory_limit_in_mb = invoked_function_arn = aws_request_id = "tests"

    def __init__(self, steps: int) -> None:
        self._left = iter(range(steps))

    def get_remaining_time_in_millis(self) -> int:
        return 0 if next(self._left, None) is None else 600_000


def _written(body: Any, keys: dict[str, list[str]]) -> Iterator[tuple[str, Item]]:
    """The keys of the items that a request writes, with their tables."""
    actions = [(body["TableName"], body)] if "TableName" in body else []
    for table, requests in body.get("RequestItems", {}).items():
        actions += [(table, each) for request in requests for each in request.values()]
    for item in body.get("TransactItems", ()):
        actions += [(each["TableName"], each) for each in item.values()]
    for table, action in actions:
        whole = action.get("Item") or action.get("Key")
        yield table, {name: _as_given(whole[name]) for name in keys[table]}


def _as_given(key: Attribute) -> Attribute:
    """A key of a request: bytes are written as text."""
    return {"B": b64decode(key["B"])} if "B" in key else key


def _source(name: str, keys: Sequence[str]) -> Source:
    return Source(keys=keys, arn=f"arn:aws:dynamodb:us-east-1:123456789012:table/{name}/stream/2026-11-01T00:00:00.000")


def table_request(own: OwnTable, indexes: Indexes) -> dict[str, Any]:
    """The request that makes the table. The engine's index tells what the construct lets it, and others everything."""
    attributes = dict(own.keys)
    for keys in indexes.values():
        attributes |= keys
    request = {
        "TableName": NAME,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _schema([*own.keys]),
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": form} for name, form in attributes.items()],
    }
    told = {INDEX: {"ProjectionType": "INCLUDE", "NonKeyAttributes": [LISTED]}}
    found = [
        {"IndexName": name, "KeySchema": _schema([*keys]), "Projection": told.get(name, {"ProjectionType": "ALL"})}
        for name, keys in indexes.items()
    ]
    return request | ({"GlobalSecondaryIndexes": found} if found else {})


def _schema(names: Sequence[str]) -> list[dict[str, str]]:
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"), strict=False)]
