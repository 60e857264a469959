"""Push on the deployed application: a socket is sent what is stored, and only to whom a ticket admits."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from edgewise.dynamodb.writes import Put
from functions.push import codec, store
from ops.processes import wait_until
from tests.e2e.conftest import Client, Deployment

SECONDS, PATIENCE = 180, 30


class Socket:
    """An open socket, and all frames that it has been sent."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.frames: list[Any] = []
        self.ended = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            for text in self._connection:
                self.frames.append(json.loads(text))
        except ConnectionClosed:
            pass
        self.ended.set()

    def say(self, **request: str) -> None:
        """Send a request."""
        self._connection.send(json.dumps(request))

    def subscribe(self, address: str) -> int:
        """Subscribe, and return after how many milliseconds changes are surely sent."""
        self.say(action="subscribe", address=address)
        return int(self.expect("subscribed", address)["settles_ms"])

    def of(self, kind: str, address: str) -> list[Any]:
        """The frames of a type about an address, in order."""
        return [frame for frame in list(self.frames) if (frame["type"], frame.get("address")) == (kind, address)]

    def expect(self, kind: str, address: str, matching: Callable[[Any], bool] = lambda _: True) -> Any:
        """Wait for such a frame, and return it."""

        def found() -> list[Any]:
            return [frame for frame in self.of(kind, address) if matching(frame)]

        wait_until(lambda: bool(found()), SECONDS, f"a frame {kind} of {address}; there are {self.frames}")
        return found()[0]


Open = Callable[[Client], Socket]


def ticket(client: Client) -> str:
    return str(client.post("push", "tickets", body={})["ticket"])


def address_of(deployment: Deployment, query: str) -> str:
    """Where the local cloud takes sockets: the address that AWS would give has no port."""
    api = deployment.outputs["SocketUrl"].removeprefix("wss://").partition(".")[0]
    return f"{deployment.cloud.url.replace('http', 'ws')}/_aws/execute-api/{api}/live{query}"


@pytest.fixture
def opened(deployment: Deployment) -> Iterator[Open]:
    with ExitStack() as stack:

        def opening(client: Client) -> Socket:
            address = address_of(deployment, f"?ticket={ticket(client)}")
            return Socket(stack.enter_context(connect(address, open_timeout=SECONDS, ping_interval=None)))

        yield opening


def post_message(client: Client, room: str, name: str) -> None:
    client.post("rooms", room, "messages", body={"messages": [{"message_id": name, "text": f"hello {name}"}]})


def test_without_a_ticket_nobody_gets_in(deployment: Deployment, guest: Client) -> None:
    used = ticket(guest)
    with connect(address_of(deployment, f"?ticket={used}"), open_timeout=SECONDS):
        pass
    for query, status in (("", 401), ("?ticket=guessed", 403), (f"?ticket={used}", 403)):
        with pytest.raises(InvalidStatus) as refused:
            connect(address_of(deployment, query), open_timeout=SECONDS)
        assert (query, refused.value.response.status_code) == (query, status)


def test_messages_are_sent_as_they_are_stored(app: Client, guest: Client, opened: Open) -> None:
    address = "/rooms/live~2Froom/messages"
    socket, other = opened(guest), opened(guest)
    socket.subscribe(address)
    other.subscribe("/rooms/elsewhere/messages")
    # The first ones may be stored before the subscription is known.
    names = [f"m{number}" for number in range(100)]
    for name in names:
        post_message(app, "live/room", name)
        if socket.of("added", address):
            break
    post_message(app, "live/room", "last")

    def has_last(frame: Any) -> bool:
        return "last" in [item["message_id"] for item in frame["items"]]

    socket.expect("added", address, has_last)
    pages = guest.pages("rooms", "live/room", "messages")
    by_id = {message["message_id"]: message for page in pages for message in page["messages"]}
    for frame in socket.of("added", address):
        assert all(by_id[item["message_id"]] == item for item in frame["items"])
    assert not other.of("added", address)


@pytest.mark.parametrize("system", ["device", "place", "node", "ranking", "room"])
def test_subscribers_are_sent_what_the_api_answers(
    system: str, app: Client, sensor: Client, guest: Client, opened: Open
) -> None:
    changes: dict[str, tuple[str, Callable[[int], None]]] = {
        "device": ("/devices/live-1", lambda n: _reading(sensor, n)),
        "place": ("/places?path=live/hall", lambda n: _resident(app, n)),
        "node": ("/graph/nodes/live/hub/aggregates", lambda n: _edge(app, n)),
        "ranking": ("/graph/rankings/LIVE?direction=in", lambda n: _edge(app, n)),
        "room": ("/rooms/live-sums", lambda n: post_message(app, "live-sums", f"m{n}")),
    }
    address, change = changes[system]
    socket, numbers = opened(guest), count()
    settled = time.monotonic() + socket.subscribe(address) / 1000

    def told() -> bool:
        # Each reader of the stream learns of the subscription by itself: what it reads before that is sent to nobody.
        sure = time.monotonic() > settled
        change(next(numbers))
        return sure and bool(socket.of("answer", address))

    wait_until(told, SECONDS, f"an answer of {address}; there are {socket.frames}")
    # A push may be lost on a busy machine. The next one makes it good.
    lost = time.monotonic() + PATIENCE

    def latest_is_what_is_read() -> bool:
        nonlocal lost
        if time.monotonic() > lost:
            change(next(numbers))
            lost = time.monotonic() + PATIENCE
        answer = guest.fetched(address)
        # Frames may overtake each other.
        latest = max(socket.of("answer", address), key=lambda frame: str(frame["read_at"]))
        return answer.status_code == 200 and latest["body"] == answer.json()

    wait_until(latest_is_what_is_read, SECONDS, f"the answer of {address} as it is read")


def _reading(client: Client, number: int) -> None:
    event = {"device_id": "live-1", "at": number, "event_id": f"e{number}", "metrics": {"t": number}}
    client.post("telemetry", body={"events": [event]})


def _resident(client: Client, number: int) -> None:
    client.put("places", "entities", "EQUIPMENT", f"live-{number}", body={"path": ["live", "hall"]})


def _edge(client: Client, number: int) -> None:
    for name in ("hub", f"spoke-{number}"):
        client.put("graph", "nodes", "live", name, body={"attributes": []})
    client.put("graph", "edges", "live", f"spoke-{number}", "LIVE", "live", "hub", body={})


def test_a_socket_ends_with_its_token(deployment: Deployment, guest: Client, opened: Open) -> None:
    """The sweeper of the deployed stage closes it, soon after the stored connection has ended."""
    socket = opened(guest)
    socket.subscribe("/devices/ending")
    table = deployment.table
    (name,) = [each.connection for each in store.subscribers(table, "DEVICE#ending", 0)]
    connection = store.find(table, name)
    assert connection
    table.write(Put(codec.connection_item(replace(connection, ends=1))))
    function = deployment.outputs.function("socket_sweeper")
    deployment.cloud.client("lambda").invoke(FunctionName=function, Payload=b"{}")
    wait_until(socket.ended.is_set, SECONDS, "the end of the socket")
    wait_until(lambda: store.find(table, name) is None, SECONDS, "the connection's removal")
    assert not list(store.subscribers(table, "DEVICE#ending", 0))


def test_one_that_never_reads_delays_nobody(deployment: Deployment, app: Client, guest: Client, opened: Open) -> None:
    address = "/rooms/slow/messages"
    query = f"?ticket={ticket(guest)}"
    with connect(address_of(deployment, query), open_timeout=SECONDS, max_queue=1, ping_interval=None) as deaf:
        deaf.send(json.dumps({"action": "subscribe", "address": address}))
        socket = opened(guest)
        socket.subscribe(address)
        for number in range(40):
            body = {"messages": [{"message_id": f"m{number}-{each}", "text": "x" * 9000} for each in range(3)]}
            app.post("rooms", "slow", "messages", body=body)
        post_message(app, "slow", "last")
        socket.expect("added", address, lambda frame: frame["items"][-1]["message_id"] == "last")
