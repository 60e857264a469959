"""Readings through the queue: what can't be stored goes back, and only that."""

import json
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from tests.support.queue import GOLDEN, batch, deliver, event, failed
from tests.support.throttles import HOT_TABLE, answered, refusal

pytestmark = pytest.mark.usefixtures("handlers")


def stored(table: Table) -> set[str]:
    return {item["PK"]["S"] for item in table.client.scan(TableName=table.name)["Items"]}


def test_good_messages_are_stored(table: Table) -> None:
    answer = deliver(batch({"events": [event("1"), event("2")]}, {"events": [event("3")]}))
    assert failed(answer) == []
    assert stored(table) == {"DEVICE#1", "DEVICE#2", "DEVICE#3"}


@pytest.mark.parametrize(
    "bad",
    [
        "not JSON",
        "",
        "[" * 100_000,
        '{"events":[{"device_id":"a","at":0,"metrics":{"t":NaN}}]}',
        {},
        {"events": []},
        {"events": [event("9")] * 501},
        {"events": [event("")]},
        {"events": [event("9", metrics={"t": "1"})]},
        {"events": [event("9")], "unknown": 1},
    ],
)
def test_a_bad_message_goes_back_alone(table: Table, bad: Any) -> None:
    good = {"events": [event("1")]}
    answer = deliver(batch(good, bad, {"events": [event("2")]}))
    assert failed(answer) == ["m2"]
    assert stored(table) == {"DEVICE#1", "DEVICE#2"}


def test_good_events_of_a_bad_message_are_stored_all_the_same(table: Table) -> None:
    answer = deliver(batch({"events": [event("1"), 5, event("2")]}))
    assert failed(answer) == ["m1"]
    assert stored(table) == {"DEVICE#1", "DEVICE#2"}


def test_a_message_of_which_a_value_cannot_be_read_goes_back_and_the_others_are_stored(table: Table) -> None:
    """Nobody reads an answer that would name it."""
    answer = deliver(batch({"events": [event("1", metrics={"temp": 1, "door": "open"})]}))
    assert failed(answer) == ["m1"]
    assert stored(table) == {"DEVICE#1"}


@pytest.mark.usefixtures("clock")
def test_a_message_with_a_reading_of_the_future_goes_back_and_the_others_are_stored(table: Table) -> None:
    answer = deliver(batch({"events": [event("1"), event("2", at="2106-02-07T06:28:15Z"), event("3")]}))
    assert failed(answer) == ["m1"]
    assert stored(table) == {"DEVICE#1", "DEVICE#3"}


def test_when_all_fail_all_go_back() -> None:
    assert failed(deliver(batch("x", "y"))) == ["m1", "m2"]
    assert failed(deliver(batch({"events": [event("1")]}))) == []  # and nothing is remembered


def test_the_golden_event(table: Table) -> None:
    golden = json.loads(GOLDEN.read_text())
    bad = [record["messageId"] for record in golden["Records"] if "JSON" in record["body"]]
    assert failed(deliver(golden)) == bad
    assert stored(table) == {"DEVICE#123"}


def test_throttled_messages_go_back_to_the_queue(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)  # the SDK's pauses

    def second(operation: str, request: Any) -> Any:
        return refusal(HOT_TABLE) if operation == "PutItem" and "DEVICE#2" in str(request) else None

    with answered(table.client, second):
        answer = deliver(batch(*({"events": [event(device)]} for device in "123")))
    assert failed(answer) == ["m2"]
