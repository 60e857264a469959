"""Filter patterns: each operator that Lambda documents, on stream records."""

from typing import Any

import pytest

from delivery import Items, Mapping, Simulator, Stream
from delivery.filters import PatternError, compile_pattern
from tests.simulator.support import Remembering, drained, item

RECORD = {
    "eventName": "MODIFY",
    "dynamodb": {
        "Keys": {"PK": {"S": "DEVICE#1"}},
        "NewImage": {"Type": {"S": "EVENT"}, "Price": {"N": "100"}, "Note": {"S": ""}, "On": {"BOOL": True}},
        "SizeBytes": 59,
    },
    "userIdentity": None,
    "tags": ["a", "b"],
}


def image(**rules: Any) -> dict[str, Any]:
    return {"dynamodb": {"NewImage": rules}}


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        ({"eventName": ["MODIFY"]}, True),
        ({"eventName": ["modify"]}, False),
        ({"eventName": ["INSERT", "MODIFY"]}, True),
        ({"eventName": ["MODIFY"], "dynamodb": {"Keys": {"PK": {"S": ["DEVICE#2"]}}}}, False),
        ({"userIdentity": [None]}, True),
        ({"eventName": [None]}, False),
        (image(Note={"S": [""]}), True),
        (image(Type={"S": [""]}), False),
        (image(Type={"S": [{"prefix": "EV"}]}), True),
        (image(Type={"S": [{"prefix": "V"}]}), False),
        (image(Type={"S": [{"suffix": "NT"}]}), True),
        (image(Type={"S": [{"suffix": "N"}]}), False),
        (image(Type={"S": [{"equals-ignore-case": "event"}]}), True),
        (image(Type={"S": [{"equals-ignore-case": "even"}]}), False),
        (image(Type={"S": [{"anything-but": ["EVENT", "X"]}]}), False),
        (image(Type={"S": [{"anything-but": ["X"]}]}), True),
        (image(Absent={"S": [{"anything-but": ["X"]}]}), False),
        (image(Type={"S": [{"exists": True}]}), True),
        (image(Type={"S": [{"exists": False}]}), False),
        (image(Absent={"S": [{"exists": False}]}), True),
        (image(Type=[{"exists": True}]), False),
        (image(On={"BOOL": [True]}), True),
        (image(On={"BOOL": [1]}), False),
        (image(Price={"N": ["100"]}), True),
        (image(Price={"N": ["100.0"]}), False),
        (image(Price={"N": [{"numeric": ["=", 100]}]}), False),
        ({"dynamodb": {"SizeBytes": [{"numeric": [">", 50, "<=", 59]}]}}, True),
        ({"dynamodb": {"SizeBytes": [{"numeric": [">", 59]}]}}, False),
        ({"tags": ["b"]}, True),
        ({"$or": [{"eventName": ["INSERT"]}, image(Type={"S": ["EVENT"]})]}, True),
        ({"$or": [{"eventName": ["INSERT"]}, image(Type={"S": ["X"]})]}, False),
        ({"dynamodb": {"OldImage": {"Type": {"S": ["EVENT"]}}}}, False),
        ({}, True),
    ],
)
def test_patterns(pattern: dict[str, Any], matches: bool) -> None:
    assert compile_pattern(pattern)(RECORD) is matches


@pytest.mark.parametrize(
    "pattern",
    [
        {"eventName": "MODIFY"},
        {"eventName": []},
        {"eventName": [{"wildcard": "M*"}]},
        {"eventName": [{"prefix": "M", "suffix": "Y"}]},
        {"eventName": [{"anything-but": {"prefix": "M"}}]},
    ],
)
def test_what_is_not_documented_is_refused(pattern: dict[str, Any]) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


def typed(*types: str) -> Stream:
    stream = Stream()
    items = Items(stream)
    for number, name in enumerate(types):
        items.put(item("p", number, Type={"S": name}))
    return stream


def test_records_that_match_no_filter_are_passed_over() -> None:
    handler = Remembering()
    filters = [image(Type={"S": ["A"]}), image(Type={"S": ["B"]})]
    drained(Simulator(handler, typed("A", "C", "B", "C"), Mapping(filters=filters)))
    assert handler.batches == [[0, 2]]


def test_only_records_that_match_fill_a_batch() -> None:
    handler = Remembering()
    mapping = Mapping(batch_size=2, filters=[image(Type={"S": ["A"]})])
    drained(Simulator(handler, typed("A", "C", "C", "A", "A"), mapping))
    assert handler.batches == [[0, 3], [4]]


def test_a_removal_by_time_to_live_can_be_told_apart() -> None:
    stream = Stream()
    items = Items(stream)
    for number in (0, 1):
        items.put(item("p", number))
    items.delete(item("p", 0))
    items.expire(item("p", 1))
    handler = Remembering()
    service = {"userIdentity": {"type": ["Service"], "principalId": ["dynamodb.amazonaws.com"]}}
    drained(Simulator(handler, stream, Mapping(filters=[service])))
    assert handler.batches == [[1]]
