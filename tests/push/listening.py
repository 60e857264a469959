"""Clients that listen, and a queue that remembers, in place of API Gateway and SQS."""

import json
from collections.abc import Sequence
from threading import Lock
from typing import Any

from edgewise.errors import PassingError
from edgewise.times import HOUR
from functions.push import store
from functions.push.entity import Connection, Subscription
from functions.push.gateway import Sent
from functions.push.notices import Delayed
from functions.push.queue import NotPassedOnError
from functions.replay.memory import MemoryTable
from tests.support.streams import PRESENT, StreamedTable

ENDS = PRESENT + HOUR
# Units a second, of everybody.
RATE = 50


class Listeners:
    """API Gateway: what each connection was sent. `gone` have closed; of `deaf` it takes nothing, so often."""

    def __init__(self) -> None:
        self.sent: dict[str, list[str]] = {}
        self.closed: list[str] = []
        self.gone: set[str] = set()
        self.deaf: dict[str, int] = {}
        self._lock = Lock()

    def send(self, connection: str, frame: str) -> Sent:
        with self._lock:
            assert len(frame.encode()) <= 131_072, "API Gateway's limit"
            if self.deaf.get(connection, 0) > 0:
                self.deaf[connection] -= 1
                return Sent.MISSED
            if connection in self.gone:
                return Sent.GONE
            self.sent.setdefault(connection, []).append(frame)
            return Sent.TAKEN

    def close(self, connection: str) -> Sent:
        if connection in self.deaf:
            return Sent.MISSED
        self.closed.append(connection)
        return Sent.GONE if connection in self.gone else Sent.TAKEN

    def frames(self, connection: str) -> list[Any]:
        """What a connection was sent, parsed."""
        return [json.loads(each) for each in self.sent.get(connection, ())]


class Passing:
    """SQS: what it has taken. It fails as often as `failing` says."""

    def __init__(self) -> None:
        self.taken: list[Delayed] = []
        self.failing: list[Exception] = []

    def send(self, notices: Sequence[Delayed]) -> None:
        if self.failing:
            raise self.failing.pop()
        self.taken += notices


FAILED: PassingError = NotPassedOnError(1)


def found(table: MemoryTable | StreamedTable, connection: str) -> Connection:
    """A connection that is open."""
    read = store.find(table, connection)
    assert read is not None
    return read


def subscribe(
    table: MemoryTable | StreamedTable, connection: str, topic: str, address: str, sub: str = ""
) -> Subscription:
    """A subscription of a connection, which is opened if it is not; if nobody is named, for a user of its own."""
    if store.find(table, connection) is None:
        store.connect(table, Connection(connection, sub or connection, 0, ENDS, RATE), PRESENT)
    made = Subscription(topic, connection, found(table, connection).sub, address, PRESENT, ENDS, RATE)
    store.subscribe(table, found(table, connection), made)
    return made
