"""What the rules make of a message: a body as `POST /telemetry` takes it, with one reading.

The device is always taken from the topic, and never from the message: in its topic, a thing can't write the name of
another (infra/iot/stack.py). What a message lacks is undefined, and undefined members are left out when AWS IoT writes
JSON. tests/support/iot_sql.py names AWS's page for each part of this SQL.
"""

from collections.abc import Sequence
from typing import Final

VERSION: Final = "2016-03-23"
# Of a reading, all that a device may say, but for who it is.
_SAID: Final = ("at", "event_id", "place", "metrics", "attributes")
# Milliseconds since 1970 as RFC 3339.
_INSTANT: Final = """parse_time("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", timestamp)"""


def readings_topic(stage: str, thing: str) -> str:
    """Where a thing publishes its readings; `thing`: its name, or what stands for it."""
    return f"edgewise/{stage}/readings/{thing}"


def sparkplug_topic(stage: str, node: str, device: str) -> str:
    """Where an edge node of Sparkplug publishes what a device of its own has measured: the stage is the group."""
    return f"spBv1.0/edgewise-{stage}/DDATA/{node}/{device}"


def readings(stage: str) -> str:
    """The SQL for messages that are readings already."""
    said = ", ".join(f"'{name}': {name}" for name in _SAID)
    return _one("topic(4)", said, readings_topic(stage, "+"))


def sparkplug(stage: str, metrics: Sequence[str]) -> str:
    """The SQL for messages whose metrics are a list of names and values, of which it takes these.

    A name of a thing has no full stop, so the first one ends it: no two nodes have devices of one name.
    """
    values = ", ".join(
        f"'{name}': get((SELECT VALUE (value) FROM metrics WHERE name = '{name}'), 0)" for name in metrics
    )
    said = f"'at': {_INSTANT}, 'metrics': {{{values}}}"
    return _one("concat(topic(4), '.', topic(5))", said, sparkplug_topic(stage, "+", "+"))


def _one(device: str, said: str, topics: str) -> str:
    return f"SELECT [{{'device_id': {device}, {said}}}] AS events FROM '{topics}'"
