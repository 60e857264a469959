"""Stream records in the exact form in which Lambda passes them to a function."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import Any

from delivery.sizes import Item, item_size

TIME_TO_LIVE = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
NEW_AND_OLD = "NEW_AND_OLD_IMAGES"
_IMAGES = {
    NEW_AND_OLD: (True, True),
    "NEW_IMAGE": (False, True),
    "OLD_IMAGE": (True, False),
    "KEYS_ONLY": (False, False),
}


@dataclass(frozen=True)
class Source:
    """A stream's table: its key attributes (partition key first), what its records show, and the stream's ARN."""

    keys: Sequence[str] = ("PK", "SK")
    view: str = NEW_AND_OLD
    arn: str = "arn:aws:dynamodb:us-east-1:123456789012:table/Simulated/stream/2026-11-01T00:00:00.000"

    def __post_init__(self) -> None:
        if self.view not in _IMAGES:
            raise ValueError(f"no view of a stream: {self.view}")

    def key_of(self, item: Item) -> Item:
        """The key attributes of an item."""
        return {name: item[name] for name in self.keys}


@dataclass(frozen=True, slots=True)
class Record:
    """One change of one item.

    - `sequence`: its place in the stream
    - `at`: when it was written, in epoch seconds
    - `item`: a text that identifies the item
    - `wire`: the record as JSON, so that every delivery gets its own objects; `size` is its length in bytes
    """

    sequence: int
    at: float
    item: str
    wire: str
    size: int

    @property
    def form(self) -> Any:
        """The record as a handler receives it, a new object each time."""
        return json.loads(self.wire)


def make_record(
    source: Source, old: Item | None, new: Item | None, sequence: int, at: float, expired: bool = False
) -> Record:
    """The record of a change from one image to another; at least one of them is not None."""
    image = new or old
    assert image is not None, "a record is about an item"
    key = source.key_of(image)
    form: dict[str, Any] = {
        "eventID": md5(str(sequence).encode(), usedforsecurity=False).hexdigest(),
        "eventName": "INSERT" if old is None else "REMOVE" if new is None else "MODIFY",
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": source.arn.split(":")[3],
        "dynamodb": _change(source, key, old, new)
        | {"ApproximateCreationDateTime": float(int(at)), "SequenceNumber": str(sequence)},
        "eventSourceARN": source.arn,
    }
    if expired:
        form["userIdentity"] = TIME_TO_LIVE
    return record_of(form, at)


def record_of(form: Mapping[str, Any], at: float) -> Record:
    """The record that handlers receive in this form, written at an instant in epoch seconds."""
    change, wire = form["dynamodb"], _JSON.encode(form)
    return Record(int(change["SequenceNumber"]), at, _JSON.encode(change["Keys"]), wire, len(wire.encode()))


def _change(source: Source, key: Item, old: Item | None, new: Item | None) -> dict[str, Any]:
    shows_old, shows_new = _IMAGES[source.view]
    images = {}
    if new is not None and shows_new:
        images["NewImage"] = new
    if old is not None and shows_old:
        images["OldImage"] = old
    size = item_size(key) + sum(map(item_size, images.values()))
    return {"Keys": key, **images, "SizeBytes": size, "StreamViewType": source.view}


def _binary(value: Any) -> Any:
    """Encode what JSON can't: binary values, which Lambda passes as base64, and sets of them."""
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(value).decode()
    return sorted(value)


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_binary)
