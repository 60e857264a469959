"""The moving picture of the README: the consumer of the running local cloud is broken, and a plain `ADD` goes wrong."""

import itertools
import struct
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event, Thread

from edgewise import rfc_3339
from local.users import client
from ops import local_cloud
from ops.api import Api
from ops.paths import LOCAL
from tests.e2e.console import Visitor, browser

FILE = LOCAL / "screenshots" / "proof-moving.png"
VIEWPORT = {"width": 1440, "height": 960}
# A page of a repository shows it while it loads: each frame is a hundred kilobytes.
SECONDS_A_FRAME, LOOKS = 2.0, 12
# What is clicked before which look.
CLICKS = {1: "Deliver again", 3: "Kill it", 5: "Read again", 7: "Lose its answer", 9: "Lose the state"}
DEVICES = {"JFK": ("US", "Jamaica"), "LGA": ("US", "Queens"), "SFO": ("US", "San Mateo")}
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@contextmanager
def flowing(sensor: Api, devices: Mapping[str, Sequence[str]]) -> Iterator[None]:
    """Readings of these devices, each with its place, come all the time."""
    ended, numbers = Event(), itertools.count()

    def post() -> None:
        while not ended.wait(0.5):
            at, number = rfc_3339(time.time_ns() // 1_000_000), next(numbers)
            events = [
                {
                    "device_id": of,
                    "at": at,
                    "event_id": f"{at} {number}",
                    "place": list(place),
                    "metrics": {"temp": 20},
                }
                for of, place in devices.items()
            ]
            sensor.post("telemetry", body={"events": events})

    posting = Thread(target=post)
    posting.start()
    try:
        yield
    finally:
        ended.set()
        posting.join()


def frames(visitor: Visitor) -> Iterator[bytes]:
    """The page without its frame as it is at each look, while it is broken between them."""
    page = visitor.page
    page.get_by_text("= recount").first.wait_for(state="attached")
    box = page.get_by_role("main").bounding_box()
    assert box is not None
    clip = {"x": box["x"], "y": box["y"], "width": box["width"], "height": VIEWPORT["height"] - box["y"]}
    for look in range(LOOKS):
        if look in CLICKS:
            page.get_by_role("button", name=CLICKS[look]).click()
        page.wait_for_timeout(2_500)
        yield page.screenshot(clip=clip)  # type: ignore[arg-type]


def animated(pictures: Sequence[bytes], seconds: float) -> bytes:
    """One animated PNG of several of the same size, each shown for so long, again and again.

    The form: https://www.w3.org/TR/png-3/#apng-frame-based-animation
    """
    head = next(data for name, data in _chunks(pictures[0]) if name == b"IHDR")
    width, height = struct.unpack(">II", head[:8])
    numbers = itertools.count()
    parts = [_chunk(b"IHDR", head), _chunk(b"acTL", struct.pack(">II", len(pictures), 0))]
    for place, picture in enumerate(pictures):
        delay = (int(seconds * 1000), 1000)
        parts.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", next(numbers), width, height, 0, 0, *delay, 0, 0)))
        for name, data in _chunks(picture):
            if name == b"IDAT":
                parts.append(_chunk(b"fdAT", struct.pack(">I", next(numbers)) + data) if place else _chunk(name, data))
    return b"".join([_SIGNATURE, *parts, _chunk(b"IEND", b"")])


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = len(_SIGNATURE)
    while position < len(picture):
        (length,) = struct.unpack(">I", picture[position : position + 4])
        yield picture[position + 4 : position + 8], picture[position + 8 : position + 8 + length]
        position += 12 + length


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def main() -> None:
    """Replace the moving picture; the local cloud must be running, and all of its data be absorbed."""
    running = local_cloud.default()
    sensor = client(running, local_cloud.outputs(running), "sensor")
    with browser() as launched, flowing(sensor, DEVICES):
        context = launched.new_context(viewport=VIEWPORT, color_scheme="light", locale="en-GB")  # type: ignore[arg-type]
        visitor = Visitor(context.new_page(), running.console_url)
        visitor.open("/")
        visitor.sign_in("admin")
        visitor.open("/proof")
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_bytes(animated(list(frames(visitor)), SECONDS_A_FRAME))
        context.close()


if __name__ == "__main__":
    main()
