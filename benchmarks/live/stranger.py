"""How long a stranger's path takes on the local cloud, in a real browser; each step is pictured."""

import time
from collections.abc import Mapping
from pathlib import Path

from local.users import client
from ops import local_cloud
from ops.local_cloud import Cloud
from ops.paths import LOCAL
from tests.e2e import stranger
from tests.e2e.console import Visitor, browser

PICTURES = LOCAL / "screenshots" / "stranger"
VIEWPORT = {"width": 1440, "height": 900}


def measure(cloud: Cloud) -> Mapping[str, float]:
    """Walk the path once; returns the instant of each step, in seconds, by the step."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    sensor, at = client(cloud, local_cloud.outputs(cloud), "sensor"), dict[str, float]()
    with browser() as launched:
        context = launched.new_context(viewport=VIEWPORT, locale="en-GB")  # type: ignore[arg-type]
        visitor = Visitor(context.new_page(), cloud.console_url)
        visitor.open("/")
        for number, step in enumerate(stranger.steps(visitor, sensor), 1):
            at[step] = time.monotonic()
            visitor.page.screenshot(path=_picture(number, step))
        context.close()
    return at


def _picture(number: int, step: str) -> Path:
    return PICTURES / f"{number}-{step.replace(' ', '-').replace('`', '').replace(',', '')}.png"


def waited(at: Mapping[str, float]) -> Mapping[str, float]:
    """What people wait for, in seconds: from the sign-in on, and from sending a reading on."""
    since = at[stranger.SIGNED_IN]
    return {
        "from the sign-in until a plain `ADD` is wrong": at[stranger.WRONG] - since,
        "until ours equals a recount, although the consumer was killed": at[stranger.RIGHT] - since,
        "from sending a reading until it is found": at[stranger.FOUND] - at[stranger.SENT],
    }
