"""Sends the input through the API: up to 500 items per request, a few requests in parallel."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice
from typing import Any, TypeVar

from ops.api import Api, BusyError
from ops.errors import LocalError
from ops.recounting.samples import Message, Reading
from ops.threads import threads

BATCH = 500  # the most that the API accepts
T = TypeVar("T")


class RejectedError(LocalError):
    """The API did not accept all items of a request."""


@dataclass(frozen=True)
class Request:
    """One POST of some events or messages; `name` is what the body calls them."""

    path: tuple[str, ...]
    name: str
    items: list[dict[str, Any]]

    @property
    def halves(self) -> "tuple[Request, Request]":
        """Two requests with the same items."""
        middle = len(self.items) // 2
        return replace(self, items=self.items[:middle]), replace(self, items=self.items[middle:])


def telemetry_requests(readings: list[Reading]) -> Iterator[Request]:
    """Readings as requests."""
    for batch in batches(readings):
        yield Request(("telemetry",), "events", list(map(event, batch)))


def chat_requests(messages: list[Message]) -> Iterator[Request]:
    """Messages as requests, each for one room."""
    for room, group in groupby(messages, lambda message: message.room):
        for batch in batches(group):
            yield Request(("rooms", room, "messages"), "messages", list(map(chat_message, batch)))


class Pace:
    """How many items a request may have: half of what a busy server had no time for, more again as it keeps up.

    Or each batch would be tried whole first, and on a busy machine each try holds up a worker until it is killed.
    """

    def __init__(self) -> None:
        self.most = BATCH

    def slow(self, size: int) -> None:
        """After a request with so many items was given up."""
        self.most = min(self.most, size - size // 2)

    def rise(self) -> None:
        """After a request was answered."""
        self.most = min(BATCH, self.most + max(1, self.most // 8))


def post_all(api: Api, requests: Iterator[Request], stored: Callable[[int], None]) -> None:
    """Send the requests, calling `stored` with the number of items of each; raises RejectedError or ApiError."""
    pace = Pace()
    with threads() as pool:
        for size in pool.map(lambda request: post(api, request, pace), requests):
            stored(size)


def post(api: Api, request: Request, pace: Pace) -> int:
    """Send one request, or its halves where a busy server has no time for all of it; returns the number of its items.

    Raises RejectedError unless all of them were accepted.
    """
    size = len(request.items)
    if size > pace.most:
        return sum(post(api, half, pace) for half in request.halves)
    try:
        answer = (api.hurried() if size > 1 else api).post(*request.path, body={request.name: request.items})
    except BusyError:
        if size == 1:
            raise
        pace.slow(size)
        return sum(post(api, half, pace) for half in request.halves)
    if answer["accepted"] != size:
        raise RejectedError(f"{answer['accepted']} of {size} accepted: {answer['rejected'][:3]}")
    pace.rise()
    return size


def event(reading: Reading) -> dict[str, Any]:
    """A reading as it appears in the body of a request."""
    # As floats, the numbers print exactly the digits of the file: a test checks this for every number in it.
    metrics = {name: float(value) for name, value in reading.metrics.items()}
    return {"device_id": reading.device, "at": reading.at, "place": reading.place, "metrics": metrics}


def chat_message(message: Message) -> dict[str, Any]:
    """A message as it appears in the body of a request."""
    return {"message_id": message.id, "user": message.user, "sent_at": message.sent_at, "text": message.text}


def batches(items: "Iterator[T] | list[T]") -> Iterator[list[T]]:
    """The items in lists of at most BATCH."""
    remaining = iter(items)
    while batch := list(islice(remaining, BATCH)):
        yield batch
