"""How much of a request's CPU goes to sockets: on a virtual machine this can be more than all of botocore."""

import time
from collections.abc import Callable
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from benchmarks import engine

REQUESTS = 400


def cpu_a_request() -> float:
    """How many more seconds of CPU a small request takes than one that is answered before it reaches a socket."""
    table = engine.create("network")

    def get() -> None:
        table.client.get_item(TableName=table.name, Key={"PK": {"S": "nobody"}, "SK": {"S": "here"}})

    sent = _cpu(get)
    events: Any = table.client.meta.events
    events.register("before-send.dynamodb.GetItem", _answer)
    return sent - _cpu(get)


def _cpu(request: Callable[[], None]) -> float:
    request()  # connects, and fills caches
    started = time.process_time()
    for _ in range(REQUESTS):
        request()
    return (time.process_time() - started) / REQUESTS


class _Empty:
    """The body of an answer."""

    def stream(self) -> Any:
        """An empty JSON object, in one piece."""
        yield b"{}"


def _answer(request: Any, **_: Any) -> AWSResponse:
    return AWSResponse(request.url, 200, HTTPHeaders(), _Empty())
