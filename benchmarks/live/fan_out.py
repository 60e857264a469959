"""One message for 10,000 subscribers of a room: how long the sender takes, against a gateway of this machine.

The sender's own code reads the subscribers from DynamoDB Local, splits the notice, and sends each part, one after the
other. The gateway is another process, which answers each request after ten milliseconds.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks import engine
from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.times import HOUR
from functions.push import codec, sending
from functions.push.entity import Subscription
from functions.push.gateway import Gateway
from functions.push.notices import Notice
from ops.processes import free_port, taken, wait_until

SUBSCRIBERS = 10_000
TOPIC, ADDRESS = "CHAT#square", "/rooms/square/messages"
ITEM = '{"message_id":"1","user":"amy","sent_at":"2026-11-01T06:00:00.000Z","text":"Is anybody there?"}'
_GATEWAY = """
import asyncio, sys
async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\\r\\n\\r\\n")).lower()
            size = next(int(line[15:]) for line in head.split(b"\\r\\n") if line.startswith(b"content-length:"))
            await reader.readexactly(size)
            await asyncio.sleep(0.01)
            writer.write(b"HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n")
            await writer.drain()
    except asyncio.IncompleteReadError:
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()
asyncio.run(main())
"""


@dataclass(frozen=True)
class FanOut:
    """What one message took. `part_ms`: the longest that an invocation took for its part."""

    parts: int
    read_units: float
    read_ms: float
    part_ms: float
    cpu_ms_a_frame: float


def measure() -> FanOut:
    """Send one message to all subscribers."""
    with engine.running(), _gateway() as endpoint:
        table = engine.create("fan-out")
        now = clock.now()
        names = (f"{number:05}" for number in range(SUBSCRIBERS))
        each = (Subscription(TOPIC, f"connection-{n}", f"user-{n}", ADDRESS, now, now + HOUR, rate=50) for n in names)
        table.put_many([codec.subscription_item(subscription) for subscription in each])
        return _measured(table, Gateway(endpoint))


def _measured(table: Table, gateway: Gateway) -> FanOut:
    table.usage.reset()
    notice, began = Notice(TOPIC, (ITEM,)), time.monotonic()
    parts = list(sending.parts(sending.wanted_by(table, notice, clock.now())))
    read_ms, units = (time.monotonic() - began) * 1000, table.usage.read_units
    frame = sending.frames_for(notice, lambda _: None)
    sending.send(table, gateway, TOPIC, frame, parts[0])  # connects
    took, cpu, sent = [], time.process_time(), 0
    for part in parts:
        began = time.monotonic()
        sent += sending.send(table, gateway, TOPIC, frame, part).taken
        took.append((time.monotonic() - began) * 1000)
    assert sent == SUBSCRIBERS, "every subscriber is sent the message once"
    return FanOut(len(parts), units, read_ms, max(took), (time.process_time() - cpu) * 1000 / sent)


@contextmanager
def _gateway() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", _GATEWAY, str(port)])
    try:
        wait_until(lambda: taken(port), 10, "the gateway")
        yield f"http://127.0.0.1:{port}/live"
    finally:
        process.kill()
