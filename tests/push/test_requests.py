"""What clients ask for, and how they are told what is wrong with it."""

import json

import pytest

from edgewise.errors import InvalidInputError
from functions.push import frames
from functions.push.addresses import LONGEST_ADDRESS
from functions.push.requests import MOST_CHARACTERS, Action, Request, parsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"action":"subscribe","address":"/devices/1"}', Request(Action.SUBSCRIBE, "/devices/1")),
        ('{"address":"/devices/1","action":"unsubscribe"}', Request(Action.UNSUBSCRIBE, "/devices/1")),
        ('{"action":"ping"}', Request(Action.PING)),
    ],
)
def test_requests(text: str, expected: Request) -> None:
    assert parsed(text) == expected


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", ["body"]),
        ("{", ["body"]),
        ("[]", ["body"]),
        ("null", ["body"]),
        ('"ping"', ["body"]),
        ("[" * 100_000, ["body"]),
        ("1" * 5000, ["body"]),
        ('{"action":"subscribe","address":"/devices/\\ud800"}', ["body"]),
        ('{"\\ud800":1,"action":"ping"}', ["body"]),
        ("{}", ["action", "address"]),
        ('{"action":"shout","address":"/devices/1"}', ["action"]),
        ('{"action":["ping"],"address":"/devices/1"}', ["action"]),
        ('{"action":"subscribe"}', ["address"]),
        ('{"action":"subscribe","address":1}', ["address"]),
        ('{"action":"subscribe","address":"/devices/1","since":0,"at":1}', ["at", "since"]),
        ('{"action":"ping","action":"subscribe","address":"/devices/1"}', ["action"]),
        ('{"action":"subscribe","address":"/' + "x" * LONGEST_ADDRESS + '"}', ["address"]),
    ],
)
def test_what_is_wrong_is_named_and_can_be_sent(text: str, fields: list[str]) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parsed(text)
    assert [each.field for each in refused.value.errors] == fields
    frame = json.loads(frames.problem(refused.value, None).encode())
    assert (frame["type"], frame["problem"]["status"]) == ("problem", 400)
    assert [each["field"] for each in frame["problem"]["errors"]] == fields


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({f"{number}": 1 for number in range(1500)}),
        json.dumps({"é😀" * 3000: 1}, ensure_ascii=False),
        json.dumps({"action": "subscribe", "address": "😀" * 7000}, ensure_ascii=False),
        '{"' + "x" * 7000 + '":1,"' + "x" * 7000 + '":1}',
    ],
)
def test_no_refusal_is_larger_than_a_frame(text: str) -> None:
    assert len(text) <= MOST_CHARACTERS
    with pytest.raises(InvalidInputError) as refused:
        parsed(text)
    assert len(frames.problem(refused.value, None).encode()) <= frames.MOST_BYTES
