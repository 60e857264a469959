"""Passes notices on."""

from collections.abc import Sequence

from functions import aws
from functions.dynamodb.table import CONFIG, chunks
from functions.errors import PassingError
from functions.push.notices import Delayed

# SQS takes no more in one request.
_AT_ONCE = 10


class NotPassedOnError(PassingError):
    """The queue did not take some of the notices."""

    def __init__(self, left: int) -> None:
        super().__init__(f"the queue did not take {left} notices")


class Queue:
    """The queue between the stream's reader and the function that sends to subscribers."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = aws.client("sqs", CONFIG)

    def send(self, notices: Sequence[Delayed]) -> None:
        """Pass all notices on; raises NotPassedOnError."""
        for part in chunks(notices, _AT_ONCE):
            entries = [
                {"Id": str(number), "MessageBody": each.notice.text(), "DelaySeconds": each.seconds}
                for number, each in enumerate(part)
            ]
            answer = self._client.send_message_batch(QueueUrl=self._url, Entries=entries)
            if failed := answer.get("Failed"):
                raise NotPassedOnError(len(failed))
