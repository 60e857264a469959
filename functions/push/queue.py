"""Passes notices on."""

from collections.abc import Iterator, Sequence
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from edgewise import aws
from edgewise.dynamodb.table import CONFIG
from edgewise.errors import PassingError
from functions.push.notices import Delayed

# Follow-ups wait for the queue, and clients read what they were not told of: so it is tried twice, for some seconds.
_CONFIG = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 2}, connect_timeout=1, read_timeout=2))
# SQS takes no more messages in one request; of characters, it has taken four times as many since 2025.
_AT_ONCE, _MOST_CHARACTERS = 10, 256 * 1024


class NotPassedOnError(PassingError):
    """The queue did not take some of the notices."""

    def __init__(self, left: int) -> None:
        super().__init__(f"the queue did not take {left} notices")
        self.left = left


class Queue:
    """The queue between the stream's reader and the function that sends to subscribers."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = aws.client("sqs", _CONFIG)

    def send(self, notices: Sequence[Delayed]) -> None:
        """Pass on all notices that the queue takes; raises NotPassedOnError if it leaves some.

        A request that fails is the last one: nobody waits for a queue that does not answer.
        """
        taken = 0
        for entries in _requests(notices):
            try:
                answer = self._client.send_message_batch(QueueUrl=self._url, Entries=entries)
            except (BotoCoreError, ClientError) as error:
                raise NotPassedOnError(len(notices) - taken) from error
            taken += len(entries) - len(answer.get("Failed", ()))
        if taken < len(notices):
            raise NotPassedOnError(len(notices) - taken)


def _requests(notices: Sequence[Delayed]) -> Iterator[list[dict[str, Any]]]:
    """The messages in portions that fit into one request."""
    entries: list[dict[str, Any]] = []
    size = 0
    for each in notices:
        text = each.notice.text()
        if entries and (len(entries) == _AT_ONCE or size + len(text) > _MOST_CHARACTERS):
            yield entries
            entries, size = [], 0
        entries.append({"Id": str(len(entries)), "MessageBody": text, "DelaySeconds": each.seconds})
        size += len(text)
    if entries:
        yield entries
