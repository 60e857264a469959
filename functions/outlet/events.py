"""What the outlet tells of a record of the stream: one event for each change of an entity that the stage names.

An event has the id of the stream's record, which is the same however often the record is delivered: whoever gets an id
twice drops it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_type_hints

import simplejson

from edgewise import ItemType, Millis, rfc_3339
from edgewise.dynamodb.attributes import key_of, string
from edgewise.failures import PoisonError, sorted_out
from edgewise.observability import logger
from edgewise.stream.changes import Record, checkpoint
from functions.outlet.entities import Outlets

# Of an event. EventBridge takes 1 MB since January 2026 (AWS Compute Blog), 256 KB before; some of its targets still
# take no more than that, envelope included. What is larger is told without its contents.
MOST_BYTES = 240_000
TOO_LARGE, UNCLEAR = "too large", "unclear"


def events(outlets: Outlets, names: Iterable[str], records: Iterable[Record]) -> list[str]:
    """What some records of the stream tell of these entities, as JSON."""
    by_type = outlets.by_type(names)
    return [text for record in records for text in _told(by_type, record)]


def _told(by_type: Mapping[str, tuple[str, ItemType[Any]]], record: Record) -> list[str]:
    """The event of a record; none if it is of another type, changes nothing of its entity, or can't be told."""
    try:
        with sorted_out():
            new, old = record["dynamodb"].get("NewImage"), record["dynamodb"].get("OldImage")
            of_type = string((new or old)["Type"])
            if of_type not in by_type:
                return []
            name, items = by_type[of_type]
            key = key_of(new or old)
            event = {
                "id": record["eventID"],
                "entity": name,
                "change": "removed" if new is None else "changed" if old else "created",
                "at": rfc_3339(checkpoint(record).at),
                "key": dict(zip(_names(items), items.names(key), strict=True)),
            }
    except PoisonError as poison:
        # The stream's first reader sets aside what it counts of it; without a key there is nothing to tell.
        logger.error("not told", reason=poison.reason)
        return []
    try:
        with sorted_out():
            before, after = (None if image is None else _plain(items.decode(image)) for image in (old, new))
    except PoisonError as poison:
        logger.warning("told without contents", key=key, reason=poison.reason)
        return [_text(event | {"item": None, "omitted": UNCLEAR})]
    if before == after:  # only its entries in indexes are others
        return []
    text = _text(event | {"item": after})
    return [text if len(text) <= MOST_BYTES else _text(event | {"item": None, "omitted": TOO_LARGE})]


def _names(items: ItemType[Any]) -> tuple[str, ...]:
    """The fields of a key, each once, as ItemType.names tells them."""
    return tuple(dict.fromkeys((*items.partition.fields, *items.sort.fields)))


def _text(event: Mapping[str, Any]) -> str:
    """In ASCII, because SQS refuses some characters that people may write; numbers have all their digits."""
    return simplejson.dumps(event, use_decimal=True, separators=(",", ":"))


def _plain(entity: Any) -> dict[str, Any]:
    """An entity as JSON has it: instants as text."""
    kind: Any = type(entity)
    return {name: written(getattr(entity, name)) for name, written in _ways(kind).items()}


@cache
def _ways(entity: type[Any]) -> Mapping[str, Callable[[Any], Any]]:
    """How each field of an entity is written."""
    hints = get_type_hints(entity, include_extras=True)
    return {field.name: _instant if _is_instant(hints[field.name]) else _value for field in fields(entity)}


def _is_instant(hint: Any) -> bool:
    return hint == Millis or Millis in get_args(hint)


def _instant(at: int | None) -> str | None:
    return None if at is None else rfc_3339(at)


def _value(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return dict(value) if isinstance(value, Mapping) else value
