"""Stream records to changes: what an item was, what it is, and where the record stands in its lane."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from functions.domain.aggregates import AggregateId, Entry, Mark
from functions.domain.catalog import contributions
from functions.domain.errors import MalformedRecordError
from functions.domain.slots import SLOT
from functions.domain.times import SECOND, Millis
from functions.store import slots
from functions.store.codec import SOURCES
from functions.store.failures import PoisonError, sorted_out

Record = Mapping[str, Any]
# The slot that takes a record of this time; None if there are none.
SlotOf = Callable[[Millis], int | None]
# A record that can't be understood, and why.
Unclear = tuple[Record, MalformedRecordError]

_TIME_TO_LIVE = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}


def mark(record: Record) -> Mark:
    """The record's place in its lane; raises MalformedRecordError if it has none."""
    try:
        with sorted_out():
            change = record["dynamodb"]
            return Mark(int(change["SequenceNumber"]), int(change["ApproximateCreationDateTime"] * SECOND))
    except PoisonError as poison:
        raise MalformedRecordError(f"no place in the stream: {poison.reason}") from poison


def number(record: Record) -> int | None:
    """The record's sequence number; None if it has none."""
    try:
        return int(record["dynamodb"]["SequenceNumber"])
    except (KeyError, TypeError, ValueError):
        return None


def no_slot(_: Millis) -> None:
    """As if no aggregate had slots."""


def entries(record: Record, slot_of: SlotOf = no_slot) -> dict[AggregateId, Entry]:
    """What a record changes in each aggregate or slot; raises MalformedRecordError if it can't be understood.

    Both images give their contributions; what both contribute alike cancels, and an aggregate for which nothing is
    left is not touched.
    """
    place = mark(record)
    slot = slot_of(place.at)
    try:
        with sorted_out():
            change = record["dynamodb"]
            removed = contributions_of(change.get("OldImage"), slot, expired=_is_expiry(record))
            added = contributions_of(change.get("NewImage"), slot)
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison
    return {
        aggregate_id: entry
        for aggregate_id in added.keys() | removed.keys()
        if (entry := _entry(place, added.get(aggregate_id, {}), removed.get(aggregate_id, {})))
    }


def batch(records: Iterable[Record], slot_of: SlotOf) -> tuple[dict[AggregateId, list[Entry]], list[Unclear]]:
    """What some records of a lane change in each aggregate, and those that can't be understood."""
    changed: dict[AggregateId, list[Entry]] = {}
    unclear = []
    for record in records:
        try:
            found = entries(record, slot_of)
        except MalformedRecordError as error:
            unclear.append((record, error))
            continue
        for aggregate_id, entry in found.items():
            changed.setdefault(aggregate_id, []).append(entry)
    return changed, unclear


def contributions_of(image: Any, slot: int | None, *, expired: bool = False) -> Any:
    """What an item contributes to aggregates, slots among them; it may raise anything on a foreign one."""
    if image is None:
        return {}
    kind = image["Type"]["S"]
    if kind == SLOT:
        return slots.contributions(image)
    if kind not in SOURCES:
        return {}
    return contributions(kind, SOURCES[kind](image), expired, slot)


def _entry(place: Mark, added: Any, removed: Any) -> Entry | None:
    came = {name: seen for name, seen in added.items() if removed.get(name) != seen} if removed else added
    went = {name: seen for name, seen in removed.items() if added.get(name) != seen}
    return Entry(place, came, went) if came or went else None


def _is_expiry(record: Record) -> bool:
    return record.get("eventName") == "REMOVE" and record.get("userIdentity") == _TIME_TO_LIVE
