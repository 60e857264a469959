"""Notices that the queue does not take: nobody thinks that they are on their way."""

from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from functions.push.notices import Delayed, Notice
from functions.push.queue import NotPassedOnError, Queue

UNAVAILABLE = ClientError({"Error": {"Code": "ServiceUnavailable", "Message": "later"}}, "SendMessageBatch")


class Failing:
    """SQS, which fails as a whole, or refuses a message."""

    def __init__(self, failure: Any) -> None:
        self._failure = failure

    def send_message_batch(self, **_: Any) -> Any:
        if isinstance(self._failure, Exception):
            raise self._failure
        return self._failure


@pytest.mark.parametrize(
    ("failure", "left"),
    [
        (EndpointConnectionError(endpoint_url="sqs"), 2),
        (UNAVAILABLE, 2),
        ({"Successful": [{"Id": "0"}], "Failed": [{"Id": "1", "Code": "InternalError"}]}, 1),
    ],
)
def test_it_says_so(failure: Any, left: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.aws.client", lambda *_: Failing(failure))
    with pytest.raises(NotPassedOnError, match=f"did not take {left} notices"):
        Queue("url").send([Delayed(Notice("DEVICE#1"), 0), Delayed(Notice("DEVICE#2"), 1)])
