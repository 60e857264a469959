"""What the demo sends may be sent twice: its client repeats what a busy server refused, or what got no answer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import requests

from functions.replay.memory import MemoryTable
from functions.web import runtime
from local import examples
from ops.api import Answer, Api, ApiError
from ops.recounting.feed import Pace, chat_requests, post, telemetry_requests
from ops.recounting.samples import Message, Reading
from tests.support.clocks import Clock
from tests.support.http import Client, route_of

EVERYBODY = Client(groups=("ingest", "import", "write", "admin"))


class Doubled(Api):
    """Every request reaches its handler twice, and only the second answer comes back."""

    def __init__(self, table: MemoryTable) -> None:
        super().__init__("http://nowhere", lambda: "token", connections=1)
        self.table = table
        self.sent: list[str] = []

    def call(self, method: str, *path: str, body: Any = None, headers: Any = None, **_: str | int) -> Answer:
        asked = f"{method} {self._address(path).removeprefix('http://nowhere')}"
        route, named = route_of(*asked.split(" "))
        replace(EVERYBODY, headers=headers or {}).call(route, None, body, **named)
        once = dict(self.table.items)
        again = replace(EVERYBODY, headers=headers or {}).call(route, None, body, **named)
        assert self.table.items.keys() == once.keys(), asked
        assert method == "PUT" or self.table.items == once, asked  # what is put again may number itself anew
        self.sent.append(asked)
        if again.status >= 400:
            raise ApiError(_refused(again.status))
        return Answer(asked, again.body, "", "", "")


def _refused(status: int) -> requests.Response:
    response = requests.Response()
    response.status_code = status
    response.request = requests.Request("POST", "http://nowhere/").prepare()
    return response


@pytest.fixture
def doubled(monkeypatch: pytest.MonkeyPatch) -> Doubled:
    table = MemoryTable()
    monkeypatch.setattr(runtime, "table", lambda: table)
    return Doubled(table)


READINGS = [Reading("JFK", f"2013-01-01T0{hour}:00:00Z", ("US", "JFK"), {}) for hour in range(3)]
MESSAGES = [Message("r1", "amy", "2018-08-29T12:00:00Z", str(number), "the same") for number in range(3)]
FEEDS: dict[str, Callable[[Api], object]] = {
    "the tour": examples.store_all,
    "readings": lambda api: [post(api, request, Pace()) for request in telemetry_requests(READINGS)],
    "messages": lambda api: [post(api, request, Pace()) for request in chat_requests(MESSAGES)],
}


@pytest.mark.parametrize("feed", FEEDS.values(), ids=FEEDS.keys())
def test_sent_twice_it_is_stored_once_and_the_demo_goes_on(
    doubled: Doubled, feed: Callable[[Api], object], clock: Clock
) -> None:
    clock.show("2026-12-01T00:00:00Z")  # no order of the tour was opened in the future
    feed(doubled)
    assert doubled.sent
    assert doubled.table.items
