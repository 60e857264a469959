"""The wire form: golden events, one for each kind, and what the documentation says of their parts."""

import json
from pathlib import Path
from typing import Any

import pytest

from delivery import Items, Mapping, Simulator, Source, Stream
from delivery.sizes import item_size
from tests.simulator.support import Remembering, drained, item

EVENTS = Path(__file__).resolve().parents[1] / "events"
SMALL = {"Id": {"N": "101"}}
NEW = {**SMALL, "Message": {"S": "New item!"}}
CHANGED = {**SMALL, "Message": {"S": "This item has changed"}}


def event(stream: Stream, mapping: Mapping | None = None) -> dict[str, Any]:
    """The last event of all that the stream tells."""
    handler = Remembering({"state": {"kept": 1}})
    drained(Simulator(handler, stream, mapping))
    return handler.events[-1]


def golden(name: str) -> Any:
    return json.loads((EVENTS / f"stream_{name}.json").read_text())


def test_insert() -> None:
    stream = Stream(Source(keys=["Id"]))
    Items(stream).put(NEW)
    assert event(stream) == golden("insert")


def test_modify() -> None:
    stream = Stream(Source(keys=["Id"]))
    stream.record(NEW, CHANGED)
    assert event(stream) == golden("modify")


def test_remove() -> None:
    stream = Stream(Source(keys=["Id"]))
    stream.record(CHANGED, None)
    assert event(stream) == golden("remove")


def test_remove_by_time_to_live() -> None:
    stream = Stream(Source(keys=["Id"]))
    items = Items(stream)
    items.put(CHANGED)
    items.expire(SMALL)
    assert event(stream, Mapping(batch_size=1)) == golden("remove_ttl")


def test_batch_in_a_tumbling_window() -> None:
    stream = Stream(Source(keys=["Id"]))
    Items(stream).put(NEW)
    handler = Remembering({"state": {"kept": 1}})
    drained(Simulator(handler, stream, Mapping(tumbling_window=120)))
    assert handler.events == [golden("window"), golden("window_final")]


@pytest.mark.parametrize(
    ("old", "new", "size"),
    [(None, NEW, 26), (NEW, CHANGED, 59), (CHANGED, None, 38)],
    ids=["insert", "modify", "remove"],
)
def test_sizes_are_those_of_the_documentation_s_example(old: Any, new: Any, size: int) -> None:
    """The three records in "Using AWS Lambda with Amazon DynamoDB" say 26, 59 and 38 bytes."""
    stream = Stream(Source(keys=["Id"]))
    record = stream.record(old, new)
    assert record is not None
    assert json.loads(record.wire)["dynamodb"]["SizeBytes"] == size


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": "é"}, 2),
        ({"N": "-100"}, 3),
        ({"N": "0.0120"}, 2),
        ({"B": b"abc"}, 3),
        ({"BOOL": True}, 1),
        ({"NULL": True}, 1),
        ({"SS": ["a", "bc"]}, 3),
        ({"L": [{"S": "a"}, {"NULL": True}]}, 7),
        ({"M": {"k": {"S": "v"}}}, 6),
    ],
)
def test_size_of_each_type(value: dict[str, Any], size: int) -> None:
    """Three bytes for a list or map and one for each element; one for two digits, one more, one for a sign."""
    assert item_size({"": value}) == size


@pytest.mark.parametrize(
    ("view", "images"),
    [
        ("NEW_AND_OLD_IMAGES", {"NewImage", "OldImage"}),
        ("NEW_IMAGE", {"NewImage"}),
        ("OLD_IMAGE", {"OldImage"}),
        ("KEYS_ONLY", set()),
    ],
)
def test_the_view_says_which_images_records_have(view: str, images: set[str]) -> None:
    record = Stream(Source(keys=["Id"], view=view)).record(NEW, CHANGED)
    assert record is not None
    assert json.loads(record.wire)["dynamodb"].keys() & {"NewImage", "OldImage"} == images


def test_an_unknown_view_is_refused() -> None:
    with pytest.raises(ValueError, match="BOTH"):
        Source(view="BOTH")


def test_binary_values_arrive_as_base64() -> None:
    stream = Stream()
    Items(stream).put(item("p", blob={"B": b"\x00\xff"}, set={"BS": [b"a"]}))
    (record,) = event(stream)["Records"]
    assert record["dynamodb"]["NewImage"]["blob"] == {"B": "AP8="}
    assert record["dynamodb"]["NewImage"]["set"] == {"BS": ["YQ=="]}


def test_every_delivery_gets_objects_of_its_own() -> None:
    def spoiling(event: dict[str, Any], _: Any) -> None:
        untouched.append("NewImage" in event["Records"][0]["dynamodb"])
        event["Records"][0]["dynamodb"].clear()
        if len(untouched) == 1:
            raise ValueError("once more")

    untouched: list[bool] = []
    stream = Stream()
    Items(stream).put(item("p"))
    drained(Simulator(spoiling, stream))
    assert untouched == [True, True]


def test_items_may_be_changed_after_they_were_written() -> None:
    stream, mine = Stream(), item("p", text={"S": "before"})
    items = Items(stream)
    items.put(mine)
    mine["text"] = {"S": "after"}
    items.put(mine)
    first, second = (json.loads(record.wire)["dynamodb"] for record in stream.shards[0].records)
    assert first["NewImage"]["text"] == second["OldImage"]["text"] == {"S": "before"}
