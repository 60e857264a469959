"""The queue of notices, from the stream's second reader to the function that sends to subscribers."""

from typing import Final

from aws_cdk import Duration
from constructs import Construct

from infra.queue import ReadQueue
from infra.settings import InfraSettings

SENDER: Final = "pusher"
# A notice that fails is tried three times; whoever missed it reads the same when the client reads again.
MAX_RECEIVES: Final = 3


class NoticeQueue(ReadQueue):
    """A queue read by `pusher`. Notices are worth nothing after a few minutes: clients have read what they say."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(
            scope, construct_id, settings, reader=SENDER, max_receives=MAX_RECEIVES, keeps=Duration.minutes(10)
        )
