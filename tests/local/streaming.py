"""A stream that two deliver: the simulator, and the local cloud's own program, both in simulated time."""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any

from delivery import Clock, Context, Items, Mapping, Record, Simulator, Stream
from delivery.function import FunctionError
from delivery.sizes import Item
from local.stream.course import Course
from local.stream.deployed import Deployed
from local.stream.lane import Outside

Answer = Callable[[dict[str, Any]], Any]
ARN = Stream().source.arn
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
    """The program's course of one stream, fed by one lane of records, as the emulator has them."""

    def __init__(self, mapping: Mapping, answer: Answer, shards: int) -> None:
        self.clock = Clock()
        self.lane = Stream(clock=self.clock)
        self.items, self.handler = Items(self.lane), Handler(answer)
        self.documents: list[Any] = []
        self.told: list[str] = []
        self._taken = list[Record]()
        outside = Outside(self.invoke, Inline(), lambda _, document: self.documents.append(document), self.told.append)
        self.course = Course(self.lane.source, outside, lambda form: form, self.clock, shards)
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

    def drain(self) -> None:
        """As long as there is anything to do: time passes only when it must."""
        while (due := self.course.due()) is not None:
            self.clock.wait_until(due)
            self.course.step()


def told(documents: Sequence[Any]) -> list[str]:
    """Documents of destinations, but for the number that each has."""
    return sorted(
        json.dumps({**each, "requestContext": {**each["requestContext"], "requestId": ""}}, sort_keys=True)
        for each in documents
    )
