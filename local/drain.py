"""Waits until the stream consumer has absorbed everything, without looking inside it."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from functions.web.spelling import spell
from local.api import Api, ApiError
from local.processes import wait_until

PROBE = "drain-probe"
# Seconds without any progress.
PATIENCE = 600
# An event changes an edge, the edge a `HOSTS` edge, and that one a summary: three passes through the stream.
PASSES = 3


def drain(
    sensor: Api,
    passed: Callable[[int], None],
    run: str = "first",
    progress: Callable[[], object] = lambda: None,
) -> None:
    """Wait until everything that follows from the posts so far is stored; raises NotReadyError.

    Calls `passed` after each pass. The local cloud's stream is one ordered shard. So when a probe, posted last, has
    gone all the way, everything before it has completed its first pass, and what that pass wrote is in the stream ahead
    of the next probe. After one probe per pass, no change is under way any more. Each probe is a device of its own at a
    place of its own, so its numbers don't mix with others; `run` distinguishes the drains of one cloud. It waits as
    long as `progress` gives something else every ten minutes: numbers that the consumer changes.
    """
    for number in range(1, PASSES + 1):
        sensor.post("telemetry", body={"events": [probe(f"{run} {number}")]})
        arrived = partial(_arrived, sensor, f"{run} {number}")
        wait_until(arrived, PATIENCE, f"arrival of drain probe {number}", progress)
        passed(1)


def probe(name: str) -> dict[str, object]:
    """The event of the probe with this name."""
    place, now = [PROBE, name], datetime.now(UTC).isoformat()
    return {"device_id": f"{PROBE}-{name}", "at": now, "place": place, "metrics": {"probe": 1}}


def is_probe(device: str) -> bool:
    """Whether a device is that of a probe."""
    return device.startswith(f"{PROBE}-")


def _arrived(api: Api, name: str) -> bool:
    try:
        summary = api.get("places", path=f"{PROBE}/{spell(name)}")["summary"]
        return summary is not None and bool(summary["devices"] == 1)
    except ApiError as error:
        if error.status == 404:
            return False
        raise
