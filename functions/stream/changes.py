"""Stream records to changes: what an item was, what it is, and where the record stands in its lane."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from functions.aggregates.aggregate import Entry, Mark
from functions.aggregates.catalog import Catalog
from functions.aggregates.ids import AggregateId
from functions.errors import MalformedRecordError
from functions.failures import PoisonError, sorted_out
from functions.times import SECOND, Millis

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


def entries(catalog: Catalog, record: Record, slot_of: SlotOf = no_slot) -> dict[AggregateId, Entry]:
    """What a record changes in each aggregate or slot; raises MalformedRecordError if it can't be understood.

    Both images give their contributions; what both contribute alike cancels, and an aggregate for which nothing is
    left is not touched.
    """
    place = mark(record)
    slot = slot_of(place.at)
    try:
        with sorted_out():
            change = record["dynamodb"]
            removed = catalog.contributions_of(change.get("OldImage"), slot, expired=_is_expiry(record))
            added = catalog.contributions_of(change.get("NewImage"), slot)
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison
    return {
        aggregate_id: entry
        for aggregate_id in added.keys() | removed.keys()
        if (entry := _entry(place, added.get(aggregate_id, {}), removed.get(aggregate_id, {})))
    }


def batch(
    catalog: Catalog, records: Iterable[Record], slot_of: SlotOf
) -> tuple[dict[AggregateId, list[Entry]], list[Unclear]]:
    """What some records of a lane change in each aggregate, and those that can't be understood."""
    changed: dict[AggregateId, list[Entry]] = {}
    unclear = []
    for record in records:
        try:
            found = entries(catalog, record, slot_of)
        except MalformedRecordError as error:
            unclear.append((record, error))
            continue
        for aggregate_id, entry in found.items():
            changed.setdefault(aggregate_id, []).append(entry)
    return changed, unclear


def _entry(place: Mark, added: Any, removed: Any) -> Entry | None:
    came = {name: seen for name, seen in added.items() if removed.get(name) != seen} if removed else added
    went = {name: seen for name, seen in removed.items() if added.get(name) != seen}
    return Entry(place, came, went) if came or went else None


def _is_expiry(record: Record) -> bool:
    return record.get("eventName") == "REMOVE" and record.get("userIdentity") == _TIME_TO_LIVE
