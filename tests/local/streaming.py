"""A stream that two deliver: the simulator, and the local cloud's own program, both in simulated time."""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from typing import Any

from delivery import Clock, Context, Items, Mapping, Record, Simulator, Stream
from delivery.function import FunctionError
from delivery.sizes import Item
from delivery.stream import Shard
from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.writes import Put
from edgewise.times import SECOND, Millis
from functions.replay.memory import MemoryTable
from functions.systems.proof import codec, keys
from functions.systems.proof.entity import Asked, Fault, Misdelivered
from local.stream.course import Course
from local.stream.deployed import Deployed
from local.stream.lane import Outside
from local.stream.misdeliveries import Misdeliveries
from tests.simulator.support import item, numbers

Answer = Callable[[dict[str, Any]], Any]
ARN = Stream().source.arn
# By which aggregates know the first shard of a stream that begins with the clock.
NAME = Stream().shards[0].id.removeprefix("shardId-")
# As deployed filters do, it leaves out what is asked for.
NO_PROOF = {"dynamodb": {"Keys": {"PK": {"S": [{"anything-but": [keys.PROOF]}]}}}}
WINDOW = Mapping(batch_size=4, tumbling_window=60, filters=[NO_PROOF])
DESTINATIONS = {"s3": "arn:aws:s3:::lost", "sqs": "arn:aws:sqs:us-east-1:123456789012:lost", None: None}


def deployed(mapping: Mapping, uuid: str = "one", function: str = Context().invoked_function_arn) -> Deployed:
    return Deployed(uuid, function, ARN, mapping, DESTINATIONS[mapping.on_failure], enabled=True)


class Inline(Executor):
    """Runs each call at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        call: Future[Any] = Future()
        try:
            call.set_result(fn(*args, **kwargs))
        except FunctionError as error:
            call.set_exception(error)
        return call


class Handler:
    """Keeps its events by their shard, if they name it, and answers as it is told."""

    def __init__(self, answer: Answer) -> None:
        self.events = defaultdict[str, list[Any]](list)
        self._answer = answer

    def __call__(self, event: dict[str, Any], _: Any = None) -> Any:
        self.events[event.get("shardId", "")].append(json.loads(json.dumps(event)))
        return self._answer(event)


class Simulated:
    """The simulator's own stream."""

    def __init__(self, mapping: Mapping, answer: Answer, shards: int) -> None:
        self.clock = Clock()
        self.stream = Stream(shards=shards, clock=self.clock)
        self.items, self.handler = Items(self.stream), Handler(answer)
        self._simulator = Simulator(self.handler, self.stream, mapping)

    def put(self, item: Item) -> None:
        self.items.put(item)

    def drain(self) -> None:
        self._simulator.drain()

    @property
    def documents(self) -> list[Any]:
        return self._simulator.destination


class Local:
    """The program's course of one stream, fed by one lane of records, as the emulator has them.

    `table` has only what somebody asks to go wrong, and the log of that.
    """

    def __init__(self, mapping: Mapping, answer: Answer, shards: int, table: MemoryTable | None = None) -> None:
        self.clock = Clock()
        self.lane = Stream(clock=self.clock)
        self.items, self.handler = Items(self.lane), Handler(answer)
        self.documents: list[Any] = []
        self.told: list[str] = []
        self.table = table or MemoryTable()
        self._taken = list[Record]()
        outside = Outside(self.invoke, Inline(), lambda _, document: self.documents.append(document), self.told.append)
        asked = Misdeliveries(self.table, self.clock, self.told.append)
        self.course = Course(self.lane.source, outside, lambda form: form, self.clock, asked, shards)
        self.course.map([deployed(mapping)])

    @property
    def stream(self) -> Stream:
        return self.course.stream

    def put(self, item: Item) -> None:
        self.items.put(item)
        self.take()

    def take(self) -> None:
        every = [record for shard in self.lane.shards for record in shard.records]
        for record in every[len(self._taken) :]:
            self.course.add(record.form)
        self._taken = every

    def invoke(self, _: str, event: str) -> Any:
        try:
            return self.handler(json.loads(event))
        except ValueError as error:
            raise FunctionError(repr(error)) from error

    def ask(self, kind: Misdelivered, shard: str = "", ago: Millis = 0) -> None:
        """Somebody asks for a fault, which the stream tells."""
        present = self.asked
        fault = Fault(f"f{present.version:03}", kind, int(self.clock.now * SECOND) - ago, shard)
        self.change(replace(present, faults=(*present.faults, fault)))
        self.hear()

    def change(self, asked: Asked) -> None:
        """Somebody changes what is asked for."""
        self.table.write(Put(codec.asked_item(asked)))

    def hear(self) -> None:
        """The stream tells what is asked for now."""
        if item := self.table.get(keys.ASKED):
            self.put(item)

    def batches(self, shard: Shard | None = None) -> list[list[int]]:
        """What was delivered of a shard, or of the only one."""
        return [numbers(event) for event in self.handler.events[(shard or self.stream.shards[0]).id]]

    @property
    def asked(self) -> Asked:
        return codec.asked(self.table.get(keys.ASKED))

    @property
    def log(self) -> list[tuple[str, str]]:
        """In which shard what happened, first things first."""
        items = sorted(self.table.items.values(), key=lambda item: string(item["SK"]))
        found = [codec.done(item) for item in items if item["Type"] == {"S": codec.DONE}]
        return [(each.shard, each.what) for each in found]

    def step(self) -> None:
        self.course.step()
        self.course.write()
        self.hear()

    def drain(self) -> None:
        """As long as there is anything to do: time passes only when it must."""
        while (due := self.course.due()) is not None:
            self.clock.wait_until(due)
            self.step()


def counting(event: dict[str, Any]) -> Any:
    """Count records in the state of the window, if there is one."""
    if "window" in event:
        return {"state": {"seen": event["state"].get("seen", 0) + len(event["Records"])}}
    return None


def eight_delivered() -> Local:
    """One shard with ten records, of which eight are delivered, and four are to be gone on behind."""
    local = Local(WINDOW, counting, shards=1)
    for number in range(10):
        local.put(item("p", number))
    for _ in range(2):
        local.step()
    return local


def told(documents: Sequence[Any]) -> list[str]:
    """Documents of destinations, but for the number that each has."""
    return sorted(
        json.dumps({**each, "requestContext": {**each["requestContext"], "requestId": ""}}, sort_keys=True)
        for each in documents
    )
