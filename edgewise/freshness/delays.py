"""Asks for heartbeats at later times: a schedule begins every minute, and its first call asks for the others."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from edgewise import aws
from edgewise.freshness.hops import HEARTBEAT
from edgewise.times import SECOND

# The heartbeats between two calls of the schedule, as seconds after the first.
LATER: Sequence[int] = range(HEARTBEAT // SECOND, 60, HEARTBEAT // SECOND)


@cache
def client() -> Any:
    """The client for queues."""
    return aws.client("sqs")


def ask_later(url: str) -> None:
    """Ask for the heartbeats of the minute that begins now. One that the queue does not take is missed."""
    entries = [{"Id": str(each), "MessageBody": "beat", "DelaySeconds": each} for each in LATER]
    client().send_message_batch(QueueUrl=url, Entries=entries)
