"""What the topic of alerts is told, and what happens if it takes nothing."""

import json
from typing import Any

import pytest

from edgewise import aws
from edgewise.alerting import ALERT, Crossing
from edgewise.errors import PassingError
from functions.handlers import cascade
from functions.push.alerts import AlertTopic
from functions.system import Live
from functions.systems.alerts.system import CHANGES

RAISED = Crossing('["ADJACENT", [["business", "shop"], "in", "PART_OF"]]', "down", "raised", 7, 1_535_544_000_000)


class Sns:
    """Takes what it is told, but for messages of these positions."""

    def __init__(self, *refused: int) -> None:
        self.asked: list[Any] = []
        self.refused = refused

    def publish_batch(self, **request: Any) -> Any:
        self.asked.append(request)
        entries = request["PublishBatchRequestEntries"]
        return {"Failed": [{"Id": str(each), "Code": "Busy"} for each in self.refused if each < len(entries)]}


@pytest.fixture
def sns(monkeypatch: pytest.MonkeyPatch) -> Sns:
    fake = Sns()
    monkeypatch.setattr(aws, "client", lambda *_: fake)
    return fake


def test_a_message_says_what_has_changed_in_the_order_of_its_aggregate(sns: Sns) -> None:
    AlertTopic("arn").publish([RAISED])
    ((message,),) = [asked["PublishBatchRequestEntries"] for asked in sns.asked]
    told = json.loads(message["Message"])
    assert told == {
        "id": message["MessageDeduplicationId"],
        "alert": "down",
        "change": "raised",
        "kind": "ADJACENT",
        "dimensions": [["business", "shop"], "in", "PART_OF"],
        "at": "2018-08-29T12:00:00.000Z",
    }
    assert message["MessageGroupId"] == RAISED.of
    assert {name: each["StringValue"] for name, each in message["MessageAttributes"].items()} == {
        "alert": "down",
        "change": "raised",
        "kind": "ADJACENT",
    }


def test_another_version_is_another_message_and_the_same_one_the_same(sns: Sns) -> None:
    ids = {Crossing(RAISED.about, RAISED.name, "raised", version, 5).plain["id"] for version in (7, 8)}
    assert len(ids) == 2
    assert RAISED.plain["id"] in ids


def test_many_are_told_ten_by_ten(sns: Sns) -> None:
    AlertTopic("arn").publish([RAISED] * 23)
    assert [len(asked["PublishBatchRequestEntries"]) for asked in sns.asked] == [10, 10, 3]


def test_a_batch_whose_alert_is_not_taken_comes_again(sns: Sns, monkeypatch: pytest.MonkeyPatch) -> None:
    sns.refused = (1,)
    monkeypatch.setattr(cascade, "topic", lambda: AlertTopic("arn"))
    record = {"eventName": "INSERT", "dynamodb": {"NewImage": ALERT.encode(RAISED)}}
    assert cascade.tell([record]) == 1
    with pytest.raises(PassingError):
        cascade.tell([record, record])


def test_what_is_no_alert_is_not_told(sns: Sns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cascade, "topic", lambda: AlertTopic("arn"))
    foreign = ALERT.encode(RAISED) | {"Data": {"S": "x"}}
    gone = {"eventName": "REMOVE", "dynamodb": {"OldImage": ALERT.encode(RAISED)}}
    assert cascade.tell([{"eventName": "INSERT", "dynamodb": {"NewImage": foreign}}, gone]) == 0
    assert sns.asked == []


def test_subscribers_are_sent_the_same() -> None:
    live: Live = CHANGES
    assert live.shown
    assert live.shown(ALERT.encode(RAISED)) == RAISED.plain
