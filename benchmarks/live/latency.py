"""From the POST of a message or a reading to what a subscriber is sent, on the local cloud."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import quantiles
from typing import Any

from websockets.sync.client import ClientConnection, connect

from local.users import token
from ops import local_cloud
from ops.api import Api
from ops.local_cloud import Cloud

MESSAGES, READINGS = 200, 60
# The first ones start functions.
WARMING_UP = 10
WAIT_SECONDS = 60
# A second after the last notice of a topic, the next one is not delayed.
APART_SECONDS = 1.1
ROOM, DEVICE = "/rooms/benchmark/messages", "/devices/benchmark"


@dataclass(frozen=True)
class Latency:
    """Milliseconds from the begin of a POST to a push: of half the pushes, of all but one in a hundred."""

    of: str
    pushes: int
    p50: float
    p99: float


def measure(cloud: Cloud) -> list[Latency]:
    """Post one after the other, and wait for each push."""
    importer, sensor = (Api(*_access(cloud, user), connections=1) for user in ("importer", "sensor"))
    with _socket(cloud, importer) as socket:
        return [
            _latency("a message", MESSAGES, lambda n: _message(importer, socket, n), pause=0),
            _latency("a device's numbers", READINGS, lambda n: _reading(sensor, socket, n), pause=APART_SECONDS),
        ]


def _access(cloud: Cloud, user: str) -> tuple[str, Callable[[], str]]:
    outputs = local_cloud.outputs(cloud)
    return outputs.api_url, lambda: token(cloud, outputs, user)


@contextmanager
def _socket(cloud: Cloud, api: Api) -> Iterator[ClientConnection]:
    ticket = api.post("push", "tickets", body={})["ticket"]
    url = local_cloud.outputs(cloud).socket_url.replace("http", "ws", 1)
    with connect(f"{url}?ticket={ticket}", open_timeout=WAIT_SECONDS) as socket:
        for address in (ROOM, DEVICE):
            socket.send(json.dumps({"action": "subscribe", "address": address}))
            settled = _next(socket, lambda frame: frame["type"] == "subscribed")["settles_ms"]
        time.sleep(settled / 1000)
        yield socket


def _latency(of: str, pushes: int, once: Callable[[int], float], pause: float) -> Latency:
    found = []
    for n in range(WARMING_UP + pushes):
        found.append(once(n))
        time.sleep(pause)
    hundredths = quantiles([each * 1000 for each in found[WARMING_UP:]], n=100)
    return Latency(of, pushes, hundredths[49], hundredths[98])


def _message(api: Api, socket: ClientConnection, n: int) -> float:
    began, text = time.monotonic(), f"message {n}"
    api.post("rooms", "benchmark", "messages", body={"messages": [{"text": text}]})
    _next(socket, lambda frame: any(item["text"] == text for item in frame.get("items", ())))
    return time.monotonic() - began


def _reading(api: Api, socket: ClientConnection, n: int) -> float:
    began = time.monotonic()
    api.post("telemetry", body={"events": [{"device_id": "benchmark", "at": began + 1e9, "metrics": {"temp": n}}]})
    _next(socket, lambda frame: frame["type"] == "answer" and frame["body"]["summary"]["events"] > n)
    return time.monotonic() - began


def _next(socket: ClientConnection, wanted: Callable[[Any], bool]) -> Any:
    """The next frame of this kind; raises TimeoutError."""
    while True:
        frame = json.loads(socket.recv(timeout=WAIT_SECONDS))
        if wanted(frame):
            return frame
