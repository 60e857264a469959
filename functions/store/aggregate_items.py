"""Aggregates as items and back.

An update pays for the whole item and for the CPU to write it, so each cell is one short value:

- `12`, a number: a count
- `12 2018-08-29T12:00:00.000Z 2018-09-04T01:00:00.000Z`: a count, the first and the last instant
- `39.02@0.500`: one single reading, and its offset in seconds from the start of its bucket, left out if it is 0
- `24 936.5 30.1 50 39.02 45.1@3540`: count, sum, min, max, first and last with their offsets
"""

from decimal import Decimal

from functions.domain.aggregates import MARK_LIFETIME, Aggregate, AggregateId, Mark
from functions.domain.declarations import DAILY, HOURLY
from functions.domain.measures import ZERO, Cell, Extremes, Moment
from functions.domain.times import SECOND, Millis, from_rfc_3339, rfc_3339
from functions.store import keys
from functions.store.attributes import Attribute, Item, integer, n, s, string
from functions.store.codec import key_item

_GRAINS = {"ROLLUP_HOUR": HOURLY, "ROLLUP_DAY": DAILY}


def aggregate_item(aggregate: Aggregate) -> Item:
    """The aggregate as it is stored.

    An emptied aggregate stays until nothing that its marks speak of can be delivered again, then expires.
    """
    item = key_item(keys.aggregate(aggregate.id)) | {
        "Type": s(aggregate.id.kind),
        "Version": n(aggregate.version),
        "Marks": {"M": {lane: s(f"{mark.sequence}@{mark.at}") for lane, mark in aggregate.marks.items()}},
    }
    if aggregate.overflow:
        item["Overflow"] = n(aggregate.overflow)
    if aggregate.due:
        item["Due"] = {"L": [s(name) for name in sorted(aggregate.due)]}
    if not aggregate.cells:
        newest = max(mark.at for mark in aggregate.marks.values())
        return item | {"ExpiresAt": n((newest + 2 * MARK_LIFETIME) // SECOND)}
    packed = {name: _pack(cell, bucket_start(aggregate.id, name)) for name, cell in aggregate.cells.items()}
    return item | {"Cells": {"M": packed}} | _index_keys(aggregate.id)


def aggregate(aggregate_id: AggregateId, item: Item | None) -> Aggregate:
    """The inverse of aggregate_item; an aggregate without an item is empty and has version 0."""
    if item is None:
        return Aggregate(aggregate_id)
    return Aggregate(
        aggregate_id,
        version=integer(item["Version"]),
        cells=cells(aggregate_id, item),
        marks={lane: _mark(string(value)) for lane, value in item["Marks"]["M"].items()},
        overflow=integer(item["Overflow"]) if "Overflow" in item else 0,
        due=frozenset(map(string, item["Due"]["L"])) if "Due" in item else frozenset(),
    )


def cells(aggregate_id: AggregateId, item: Item) -> dict[str, Cell]:
    """The measured cells of an aggregate's item; none if it has been emptied."""
    packed = item["Cells"]["M"] if "Cells" in item else {}
    return {name: _unpack(value, bucket_start(aggregate_id, name)) for name, value in packed.items()}


def cell(aggregate_id: AggregateId, item: Item, name: str) -> Cell | None:
    """One measured cell of an aggregate's item, if it is there."""
    packed = item["Cells"]["M"].get(name) if "Cells" in item else None
    return None if packed is None else _unpack(packed, bucket_start(aggregate_id, name))


def bucket_start(aggregate_id: AggregateId, cell: str) -> Millis:
    """Where the bucket of a rollup's cell begins; 0 for cells of other aggregates."""
    grain = _GRAINS.get(aggregate_id.kind)
    if grain is None:
        return 0
    block = aggregate_id.parts[-1]
    assert isinstance(block, int)
    return block + int(cell.partition(".")[0]) * grain.bucket


def _index_keys(aggregate_id: AggregateId) -> Item:
    if aggregate_id.kind != "POSTED_IN":
        return {}
    user, room = aggregate_id.parts
    assert isinstance(user, str)
    assert isinstance(room, str)
    return {"GSI2PK": s(keys.room(room)), "GSI2SK": s(keys.user(user))}


def _mark(text: str) -> Mark:
    sequence, _, at = text.partition("@")
    return Mark(int(sequence), int(at))


def _pack(cell: Cell, start: Millis) -> Attribute:
    low, high, first, last = cell.extremes.low, cell.extremes.high, cell.extremes.first, cell.extremes.last
    if first is None or last is None:
        return n(cell.count)
    if low is None or high is None:
        return s(f"{cell.count} {rfc_3339(first.at)} {rfc_3339(last.at)}")
    if cell == _single(first):
        return s(_moment_text(first, start))
    moments = f"{_moment_text(first, start)} {_moment_text(last, start)}"
    return s(f"{cell.count} {cell.total:f} {low:f} {high:f} {moments}")


def _unpack(packed: Attribute, start: Millis) -> Cell:
    if "N" in packed:
        return Cell(integer(packed))
    match string(packed).split(" "):
        case [moment]:
            return _single(_moment(moment, start))
        case [count, first, last]:
            moments = (Moment(from_rfc_3339(end), ZERO) for end in (first, last))
            return Cell(int(count), ZERO, Extremes(None, None, *moments))
        case [count, total, low, high, first, last]:
            extremes = Extremes(Decimal(low), Decimal(high), _moment(first, start), _moment(last, start))
            return Cell(int(count), Decimal(total), extremes)
        case parts:
            raise ValueError(f"not a cell: {parts}")


def _moment_text(moment: Moment, start: Millis) -> str:
    seconds, rest = divmod(moment.at - start, SECOND)
    if rest:
        return f"{moment.value:f}@{seconds}.{rest:03d}"
    return f"{moment.value:f}@{seconds}" if seconds else f"{moment.value:f}"


def _moment(text: str, start: Millis) -> Moment:
    value, _, offset = text.partition("@")
    return Moment(start + int(Decimal(offset or 0).scaleb(3)), Decimal(value))


def _single(moment: Moment) -> Cell:
    return Cell(1, moment.value, Extremes(moment.value, moment.value, moment, moment))
