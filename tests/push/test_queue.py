"""Notices that the queue does not take: nobody thinks that they are on their way."""

from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from functions.push.notices import Delayed, Notice
from functions.push.queue import NotPassedOnError, Queue

UNAVAILABLE = ClientError({"Error": {"Code": "ServiceUnavailable", "Message": "later"}}, "SendMessageBatch")


class Failing:
    """SQS, of which every request fails, or only the first ones."""

    def __init__(self, *failures: Any) -> None:
        self._failures = list(failures)
        self.taken: list[str] = []

    def send_message_batch(self, *, Entries: list[Any], **_: Any) -> Any:
        failure = self._failures.pop(0) if self._failures else {}
        if isinstance(failure, Exception):
            raise failure
        refused = {each["Id"] for each in failure.get("Failed", ())}
        self.taken += [each["MessageBody"] for each in Entries if each["Id"] not in refused]
        return failure


@pytest.mark.parametrize(
    ("failure", "left"),
    [
        (EndpointConnectionError(endpoint_url="sqs"), 2),
        (UNAVAILABLE, 2),
        ({"Successful": [{"Id": "0"}], "Failed": [{"Id": "1", "Code": "InternalError"}]}, 1),
    ],
)
def test_it_says_so(failure: Any, left: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edgewise.aws.client", lambda *_: Failing(failure))
    with pytest.raises(NotPassedOnError, match=f"did not take {left} notices"):
        Queue("url").send([Delayed(Notice("DEVICE#1"), 0), Delayed(Notice("DEVICE#2"), 1)])


FAILED_ENTRY = {"Failed": [{"Id": "3", "Code": "InternalError"}]}
NOTICES = [Delayed(Notice(f"DEVICE#{number}"), 0) for number in range(25)]


@pytest.mark.parametrize(
    ("failures", "taken"),
    [
        ([FAILED_ENTRY], [*NOTICES[:3], *NOTICES[4:]]),
        ([FAILED_ENTRY, UNAVAILABLE], [*NOTICES[:3], *NOTICES[4:10]]),
        ([{}, {}, FAILED_ENTRY], [*NOTICES[:23], NOTICES[24]]),
    ],
)
def test_all_is_tried_until_a_request_fails(
    failures: list[Any], taken: list[Delayed], monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = Failing(*failures)
    monkeypatch.setattr("edgewise.aws.client", lambda *_: queue)
    with pytest.raises(NotPassedOnError, match=f"did not take {25 - len(taken)} notices"):
        Queue("url").send(NOTICES)
    assert queue.taken == [each.notice.text() for each in taken]


def test_nobody_waits_long_for_a_queue_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr("edgewise.aws.client", lambda *arguments: made.append(arguments))
    Queue("url")
    ((_, config),) = made
    attempts = config.retries["total_max_attempts"]
    assert attempts * (config.connect_timeout + config.read_timeout) < 10
