"""Passes events on to the function that puts them on the bus."""

from collections.abc import Iterator, Sequence
from typing import Any

from edgewise import aws
from edgewise.dynamodb.table import CONFIG
from edgewise.errors import PassingError
from functions.portions import portions

# SQS takes no more messages in one request; and 1 MB of them since 2025, 256 KB before.
_AT_ONCE, _MOST_BYTES = 10, 256 * 1024


class NotQueuedError(PassingError):
    """The queue did not take some of the events."""


class EventQueue:
    """The queue between the stream's reader and the bus, so that no bus can hold the reader up."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = aws.client("sqs", CONFIG)

    def send(self, events: Sequence[str]) -> None:
        """Pass events on; raises NotQueuedError if the queue leaves some, and then the stream delivers all again."""
        for entries in _requests(events):
            answer = self._client.send_message_batch(QueueUrl=self._url, Entries=entries)
            if left := answer.get("Failed"):
                raise NotQueuedError(f"the queue did not take {len(left)} events: {left[0].get('Code')}")


def _requests(events: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    for some in portions(events, len, _MOST_BYTES):
        for start in range(0, len(some), _AT_ONCE):
            yield [{"Id": str(n), "MessageBody": text} for n, text in enumerate(some[start : start + _AT_ONCE])]
