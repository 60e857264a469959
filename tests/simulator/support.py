"""Handlers that remember what they were given, and items to give them."""

from collections.abc import Sequence
from typing import Any

from delivery import Items, Simulator, Stream


def item(partition: str, sort: int = 0, **attributes: Any) -> dict[str, Any]:
    """An item with the project's key attributes."""
    return {"PK": {"S": partition}, "SK": {"S": f"{sort:06}"}, **attributes}


def numbers(event: dict[str, Any]) -> list[int]:
    """The sort keys of an event's records."""
    return [int(record["dynamodb"]["Keys"]["SK"]["S"]) for record in event["Records"]]


class Remembering:
    """A handler that keeps its events and answers as it is told.

    `answers` are given one after the other, the last for ever; an exception is raised instead.
    """

    def __init__(self, *answers: Any) -> None:
        self.events: list[dict[str, Any]] = []
        self.answers = list(answers) or [None]

    def __call__(self, event: dict[str, Any], context: Any) -> Any:
        self.events.append(event)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer(event) if callable(answer) else answer

    @property
    def batches(self) -> list[list[int]]:
        """The sort keys of every event's records."""
        return [numbers(event) for event in self.events]


def stream_of(count: int, partitions: Sequence[str] = ("p",), shards: int = 1) -> Stream:
    """A stream with items 0 to count, written to the partitions in turn."""
    stream = Stream(shards=shards)
    write(stream, range(count), partitions)
    return stream


def write(stream: Stream, sorts: Sequence[int], partitions: Sequence[str] = ("p",)) -> None:
    """Write items with these sort keys."""
    items = Items(stream)
    for number in sorts:
        items.put(item(partitions[number % len(partitions)], number))


def drained(simulator: Simulator) -> Simulator:
    """The simulator when it has nothing left to deliver."""
    simulator.drain()
    return simulator


def failing_with(number: int) -> Any:
    """An answer that reports the record with this sort key, if it is in the batch."""

    def answer(event: dict[str, Any]) -> Any:
        bad = [record for record in event["Records"] if int(record["dynamodb"]["Keys"]["SK"]["S"]) == number]
        return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]} for record in bad]}

    return answer


def choking_on(number: int) -> Any:
    """An answer that raises if the record with this sort key is in the batch."""

    def answer(event: dict[str, Any]) -> None:
        if number in numbers(event):
            raise ValueError(number)

    return answer
