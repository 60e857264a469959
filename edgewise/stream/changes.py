"""From stream records to effects: what a record's old and new image change in each aggregate."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.carriers.carrying import CARRIES
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.doubts import Doubt
from edgewise.aggregates.effects import Batch, Effect, Share
from edgewise.aggregates.feeds import Arrival
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Observations
from edgewise.aggregates.open_hours.attributes import CLOSING
from edgewise.dynamodb.attributes import Item, key_of, s, string
from edgewise.dynamodb.keys import Key
from edgewise.errors import MalformedRecordError
from edgewise.failures import PoisonError, sorted_out
from edgewise.freshness.keys import HEARTBEAT
from edgewise.freshness.shards import Heartbeat, heartbeat
from edgewise.times import SECOND, Millis

Record = Mapping[str, Any]
Effects = Mapping[AggregateId, Effect]


class UnclearError(MalformedRecordError):
    """A record can't be understood, or not as one of each set that it is in; `doubts`: what it concerns, perhaps."""

    def __init__(self, why: str, doubts: Iterable[Doubt]) -> None:
        super().__init__(why)
        self.doubts = frozenset(doubts)


# A record that can't be understood, and the reason.
Unclear = tuple[Record, UnclearError]

_HEARTBEAT = s(HEARTBEAT)
_TIME_TO_LIVE = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}


class Changes(NamedTuple):
    """What some records of a shard change.

    `own`: in aggregates that the shard itself writes; `shared`: in those that carriers take it to; `brought`: what
    carriers bring. `unclear` are the records that can't be understood.
    """

    own: Batch
    shared: Batch
    brought: Batch
    unclear: Sequence[Unclear]


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


def in_order(records: Iterable[Record]) -> list[Record]:
    """The records in the order of their shard, each once, though some came twice; those without a number are last."""
    every = list(records)
    placed = {found: record for record in every if (found := number(record)) is not None}
    return [*(placed[each] for each in sorted(placed)), *(record for record in every if number(record) is None)]


def is_delivered(undelivered: Set[str], record: Record) -> bool:
    """Whether the mapping's filters, which leave out these types, let a record through (infra/edge_stream.py)."""
    change = record.get("dynamodb") or {}
    new, old = change.get("NewImage") or {}, change.get("OldImage") or {}
    types = [image["Type"].get("S") for image in (new, old) if "Type" in image]
    return bool({CLOSING, CARRIES} & new.keys() or any(each not in undelivered for each in types))


def heartbeats(records: Iterable[Record]) -> list[Heartbeat]:
    """The heartbeats among some records."""
    images = ((record.get("dynamodb") or {}).get("NewImage") or {} for record in records)
    found = list[Heartbeat]()
    for image in images:
        if image.get("Type") == _HEARTBEAT:
            with suppress(PoisonError), sorted_out():
                found.append(heartbeat(image))
    return found


def last_time(records: Sequence[Record]) -> Millis | None:
    """The time of the last record that has one; None: none has."""
    for record in reversed(records):
        with suppress(MalformedRecordError):
            return checkpoint(record).at
    return None


def is_position(record: Record) -> bool:
    """Whether a record only says how far a shard has come: it is of a carrier that carries nothing."""
    image = record["dynamodb"].get("NewImage") or {}
    return carrying.is_carrier(image) and CARRIES not in image


def effects(catalog: Catalog, record: Record, of_set: str | None = None) -> Effects:
    """What a record changes in each aggregate; raises MalformedRecordError if it can't be understood.

    `of_set`: only what it changes as one of an item of this set; None: of each.

    What a put passes on, its own record alone brings: the old image of such an item says nothing. Of all other items
    the old image's contributions are removed and the new one's added. Equal contributions cancel, and an aggregate
    whose contributions all cancel is not touched. What counts nothing is not worth a write when it comes, but is when
    it goes (Catalog.contributions).
    """
    place = checkpoint(record)
    try:
        with sorted_out():
            change = record["dynamodb"]
            old, new, expired = change.get("OldImage"), change.get("NewImage"), _is_expiry(record)
            if any(image and image["Type"]["S"] in catalog.senders for image in (new, old)):
                return _sent(catalog, place, new)
            arrival = Arrival(place.at, corrects=old is not None)
            removed = catalog.contributions_of(old, arrival, expired=expired, of_set=of_set)
            added = catalog.contributions_of(new, arrival, of_set=of_set)
            source = key_of(new or old) if added or removed else None
    except PoisonError as poison:
        raise MalformedRecordError(poison.reason) from poison
    effect = partial(_correction if arrival.corrects else Effect, place, source=source)
    # The label of the record's stream: when that was made, as text.
    stream = str(record.get("eventSourceARN", "")).rpartition("/")[2]
    whole = partial(_whole, place, source=source, stream=stream)
    found = {
        about: (whole if about.kind.latest else effect)(added.get(about, {}), removed.get(about, {}))
        for about in added.keys() | removed.keys()
    }
    return {about: effect for about, effect in found.items() if effect.added or effect.removed}


def _sent(catalog: Catalog, place: Checkpoint, item: Item | None) -> Effects:
    if item is None:
        return {}
    found: Mapping[AggregateId, Share] = catalog.decoders[item["Type"]["S"]](item)
    source = key_of(item) if found else None
    return {about: Effect(place, each.changes, {}, made=each.made, source=source) for about, each in found.items()}


def changes(catalog: Catalog, records: Iterable[Record], in_part: Callable[[Record], bool] = lambda _: True) -> Changes:
    """What some records of a shard change, in their order.

    `in_part`: whether a record that can't be read as one of each of its sets still changes what the others feed.
    """
    own, shared = dict[AggregateId, list[Effect]](), dict[AggregateId, list[Effect]]()
    came, unclear = dict[AggregateId, list[Effect]](), list[Unclear]()
    for record in records:
        changed, unread = _of_each_set(catalog, record)
        if unread and changed and not in_part(record):
            changed, unread = (), unclear_to_all(catalog, record, str(unread))
        unclear += [(record, unread)] if unread else []
        for about, effect in changed:
            # Only what carriers bring has other times than its record.
            into = came if effect.made else shared if about.kind.shared else own
            into.setdefault(about, []).append(effect)
    return Changes(own, shared, came, unclear)


def unclear_to_all(catalog: Catalog, record: Record, why: str) -> UnclearError:
    """The error of a record of which nothing is absorbed, so that all of its sets may lack it."""
    images = _images(record)
    every = dict.fromkeys(each for image in images for each in catalog.sets_of(image))
    return UnclearError(why, (doubt for of_set in every for doubt in catalog.doubts(images, of_set)))


def _of_each_set(catalog: Catalog, record: Record) -> tuple[Sequence[tuple[AggregateId, Effect]], UnclearError | None]:
    """What a record changes as one of each set that it can be read as; and why it can't be read as one of the others.

    These learn of it when it is redriven. Whoever has absorbed it passes over it then, as always.
    """
    found, faults, doubts = list[tuple[AggregateId, Effect]](), list[str](), list[Doubt]()
    images = _images(record)
    for of_set in dict.fromkeys(each for image in images for each in catalog.sets_of(image)) or ("",):
        try:
            found += effects(catalog, record, of_set).items()
        except MalformedRecordError as error:
            faults.append(f"{of_set}: {error}" if of_set else str(error))
            doubts += catalog.doubts(images, of_set)
    return found, UnclearError("; ".join(faults), doubts) if faults else None


def _images(record: Record) -> Sequence[Item]:
    """The record's images that have a type; none if nobody can tell."""
    with suppress(PoisonError), sorted_out():
        change = record["dynamodb"]
        images = [change[name] for name in ("OldImage", "NewImage") if change.get(name)]
        return [image for image in images if string(image["Type"])]
    return ()


def understand(catalog: Catalog, record: Record) -> None:
    """Raise UnclearError if the record can't be understood."""
    for _, error in changes(catalog, [record]).unclear:
        raise error


def _correction(place: Checkpoint, added: Observations, removed: Observations, source: Key | None) -> Effect:
    came = {name: seen for name, seen in added.items() if seen.counts and removed.get(name) != seen}
    went = {name: seen for name, seen in removed.items() if added.get(name) != seen}
    return Effect(place, came, went, source=source)


def _whole(place: Checkpoint, added: Observations, removed: Observations, source: Key | None, stream: str) -> Effect:
    """All that a source is now, and was, unless that is the same."""
    return Effect(place, {}, {}) if added == removed else Effect(place, added, removed, source=source, stream=stream)


def _is_expiry(record: Record) -> bool:
    return record.get("eventName") == "REMOVE" and record.get("userIdentity") == _TIME_TO_LIVE
