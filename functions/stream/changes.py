"""From stream records to effects: what a record's old and new image change in each aggregate."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from functions.aggregates.arrivals import Arrival
from functions.aggregates.catalog import Catalog
from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.effects import Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Observations
from functions.errors import MalformedRecordError
from functions.failures import PoisonError, sorted_out
from functions.times import SECOND, Millis

Record = Mapping[str, Any]
# The number of the partial aggregate that takes a record of this time; None if the aggregate itself does.
PartialOf = Callable[[Millis], int | None]
# A record that can't be understood, and the reason.
Unclear = tuple[Record, MalformedRecordError]

_TIME_TO_LIVE = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}


def checkpoint(record: Record) -> Checkpoint:
    """The record's sequence number and time; raises MalformedRecordError if it has none."""
    try:
        with sorted_out():
            change = record["dynamodb"]
            return Checkpoint(int(change["SequenceNumber"]), int(change["ApproximateCreationDateTime"] * SECOND))
    except PoisonError as poison:
        raise MalformedRecordError(f"no place in the stream: {poison.reason}") from poison


def number(record: Record) -> int | None:
    """The record's sequence number; None if it has none."""
    try:
        return int(record["dynamodb"]["SequenceNumber"])
    except (KeyError, TypeError, ValueError):
        return None


def no_partial(_: Millis) -> None:
    """The PartialOf to use when there are no partial aggregates."""


def effects(catalog: Catalog, record: Record, partial_of: PartialOf = no_partial) -> dict[AggregateId, Effect]:
    """What a record changes in each aggregate or partial one; raises MalformedRecordError if it can't be understood.

    The old image's contributions are removed and the new one's added. Equal contributions cancel, and an aggregate
    whose contributions all cancel is not touched. What counts nothing is not worth a write when it comes, but is when
    it goes (Catalog.contributions).
    """
    place = checkpoint(record)
    number = partial_of(place.at)
    try:
        with sorted_out():
            change = record["dynamodb"]
            old, expired = change.get("OldImage"), _is_expiry(record)
            arrival = Arrival(place.at, corrects=old is not None)
            removed = catalog.taken_back(old, number, arrival, expired=expired)
            added = catalog.contributions_of(change.get("NewImage"), number, arrival)
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison
    effect = partial(_correction if arrival.corrects else Effect, place)
    found = {about: effect(added.get(about, {}), removed.get(about, {})) for about in added.keys() | removed.keys()}
    return {about: effect for about, effect in found.items() if effect.added or effect.removed}


def batch(
    catalog: Catalog, records: Iterable[Record], partial_of: PartialOf
) -> tuple[dict[AggregateId, list[Effect]], list[Unclear]]:
    """What some records of a shard change in each aggregate, and the records that can't be understood."""
    changed: dict[AggregateId, list[Effect]] = {}
    unclear = []
    for record in records:
        try:
            found = effects(catalog, record, partial_of)
        except MalformedRecordError as error:
            unclear.append((record, error))
            continue
        for aggregate_id, effect in found.items():
            changed.setdefault(aggregate_id, []).append(effect)
    return changed, unclear


def _correction(place: Checkpoint, added: Observations, removed: Observations) -> Effect:
    came = {name: seen for name, seen in added.items() if seen.counts and removed.get(name) != seen}
    went = {name: seen for name, seen in removed.items() if added.get(name) != seen}
    return Effect(place, came, went)


def _is_expiry(record: Record) -> bool:
    return record.get("eventName") == "REMOVE" and record.get("userIdentity") == _TIME_TO_LIVE
