"""The demo, but for its deployment, before a server that has as little time as the emulator on a busy machine."""

import logging
import re
import time
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import islice
from random import Random
from types import SimpleNamespace

import pytest
from rich.console import Console

from demo import flights
from demo import program as demo
from edgewise import clock
from edgewise.dynamodb.attributes import Item
from edgewise.observability import logger
from edgewise.times import SECOND
from local import users
from ops import retries
from ops.local_cloud import Cloud, Outputs
from ops.recounting.samples import Sample, messages
from tests.demo.emulator import FAILURES, Emulator
from tests.support.http import Client
from tests.support.streams import StreamedMemory

LITTLE = Sample("2013-01-01T09:00:00Z", 1, frozenset({"LGA"}))
FLIGHTS = 30
ROOM = next(messages(LITTLE)).room


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> StreamedMemory:
    """A table in memory in place of one on an engine, and the time of day."""
    table = StreamedMemory()
    table.clock = time.time()
    monkeypatch.setattr(clock, "now", lambda: int(time.time() * SECOND))
    monkeypatch.setattr("functions.web.runtime.table", lambda: table)
    return table


@pytest.fixture
def emulator(table: StreamedMemory, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    """What the demo has deployed to. Nobody waits: whoever is refused comes again at once."""
    found = Emulator(drain)
    outputs = Outputs({"TableName": table.name}, found.url, "")
    rows = flights._rows
    monkeypatch.setattr(flights, "_rows", lambda: islice(rows(), FLIGHTS))
    monkeypatch.setattr(demo, "drain", lambda *_: found.drained())
    monkeypatch.setattr(demo, "needed", lambda *_: None)
    monkeypatch.setattr(demo, "deployed", lambda _: (Cloud(1), outputs))
    monkeypatch.setattr(users, "token", lambda _cloud, _outputs, user: user)
    monkeypatch.setattr(Cloud, "items", lambda *_: table.all_items())
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=lambda _: None, monotonic=time.monotonic))
    level = logger.log_level
    logger.setLevel(logging.WARNING)
    with found.serving():
        yield found
    logger.setLevel(level)


def run() -> tuple[int, str]:
    """The demo's status, and what it printed."""
    printed = Console(file=StringIO(), width=160)
    status = demo.demo(printed, LITTLE)
    assert isinstance(printed.file, StringIO)
    return status, printed.file.getvalue()


class Stranger:
    """Somebody who knows the address, and posts before every eighth read: also to what the demo has posted to."""

    def __init__(self, table: StreamedMemory, deliver: Callable[[], None]) -> None:
        self.table, self._deliver, self._reads, self.posts = table, deliver, 0, 0
        self.seen = 0

    def deliver(self) -> None:
        """What has been written before is delivered."""
        self._reads += 1
        if self._reads % 8 == 0:
            self.post()
        self._deliver()

    def post(self) -> None:
        """Messages to a room of the demo's and to another, a reading of its device, and what changes its graph."""
        self.posts += 1
        for room in (ROOM, "elsewhere"):
            said = {"messages": [{"text": f"hello {self.posts}"}]}
            assert Client("guest").call("POST /rooms/{room}/messages", None, said, room=room).status == 202
        self.change_graph()
        read = {"device_id": "JFK", "at": time.time(), "place": ["US", "Moon"], "metrics": {"temp": self.posts}}
        assert Client("sensor", ("ingest",)).call("POST /telemetry", None, {"events": [read]}).status == 202

    def change_graph(self) -> None:
        """An edge between nodes of the demo's, another weight of one of its edges, and another state of an airport."""
        storm, app = flights.flights(LITTLE), Client("app", ("write",))
        (one, *_, last), put = storm.edges, "PUT /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}"
        for label, target in (("NEAR", last.target), (one.label, one.target)):
            names = {"type": one.source[0], "id": one.source[1], "label": label}
            names |= {"target_type": target[0], "target_id": target[1]}
            assert app.call(put, None, {"weight": self.posts + 1}, **names).status < 300
        state = {"state": "closed", "measures": {"cancelled": 1_000 + self.posts}}
        assert app.call("PUT /graph/nodes/{type}/{id}/state", None, state, type="airport", id="LGA").status < 300

    def items(self) -> Iterator[Item]:
        """A scan, in the midst of which the stranger posts: it sees some of that, and not what follows from it."""
        before = self.table.all_items()
        yield from before[: len(before) // 2]
        self.post()
        self.seen = self.posts
        yield from self.table.all_items()[len(before) // 2 :]


def test_it_is_exact_while_others_write_and_it_says_what(
    emulator: Emulator, table: StreamedMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = Stranger(table, emulator.deliver)
    emulator.deliver = stranger.deliver
    monkeypatch.setattr(Cloud, "items", lambda *_: stranger.items())
    status, printed = run()
    assert status == 0, printed
    assert "exact: all" in printed
    posts = stranger.seen
    (told,) = re.findall(r"^others wrote meanwhile: (.*)$", printed, re.MULTILINE)
    assert told.startswith(f"{posts} readings (JFK: {posts}), {2 * posts} messages (")
    for room in (ROOM, "elsewhere"):
        assert f"guest in {room}: {posts}" in told
    assert "2 edges (airport/" in told
    assert "1 states (LGA: 1)" in told


def test_it_is_exact_although_two_of_five_attempts_fail(emulator: Emulator) -> None:
    emulator.random = Random(50)
    status, printed = run()
    assert status == 0, printed
    assert "exact: all" in printed
    assert min(emulator.failed[how] for how in FAILURES) > 20
