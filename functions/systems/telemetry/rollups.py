"""Reads rollups: splits blocks of buckets into the buckets of one metric."""

from dataclasses import dataclass, replace
from functools import partial

from edgewise import AggregateId, Cell, Item, Millis, Position, Query, Table, each
from edgewise.aggregates import stored
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.declaration import is_elsewhere
from edgewise.aggregates.continuations.readers import Items
from edgewise.aggregates.open_hours.attributes import closed
from edgewise.aggregates.open_hours.readers import Pending, item_with, pending, with_pending
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import key_item, string
from functions.systems.telemetry import keys, patterns
from functions.systems.telemetry.entity import DAILY, HOURLY, Grain, cell_name, is_place
from functions.systems.telemetry.system import DEVICE, ROLLUP_DAY, ROLLUP_HOUR

# Stored next to the position of the preceding block: the first bucket of a block that has not been returned yet.
_START = "Start"
_KINDS = {HOURLY: ROLLUP_HOUR, DAILY: ROLLUP_DAY}


@dataclass(frozen=True)
class Bucket:
    """One hour or day of one metric."""

    start: Millis
    cell: Cell


@dataclass(frozen=True)
class Range:
    """The requested buckets: those of a metric that begin from `start` on and before `end`."""

    device: str
    metric: str
    grain: Grain
    start: Millis
    end: Millis


def page(table: Table, wanted: Range, limit: int, after: Position | None) -> tuple[list[Bucket], Position | None]:
    """Up to `limit` buckets, in order, and the next position: after a block, or within the next one.

    The first read takes as many blocks as would suffice if each bucket had the metric; if some don't have it, each
    further read takes twice as many. A page ends before its limit only if a page of blocks does. After each read of
    blocks, one more request reads what is live. While blocks are full, each level of their continuations takes another.
    """
    query, (position, wanted) = _query(wanted), _resumed(wanted, after)
    found: list[Bucket] = []
    asked = -(-limit // wanted.grain.buckets) + 1  # the first block may begin before the first bucket
    while True:
        blocks, end = _blocks(table, query, wanted, asked, position)
        for at, buckets in blocks:
            for bucket in buckets:
                if len(found) == limit:
                    return found, {**(position or {}), _START: str(bucket.start)}
                found.append(bucket)
            position = at
        if end is None or len(found) == limit or len(blocks) < asked:
            return found, end
        position, asked = end, 2 * asked


def _resumed(wanted: Range, after: Position | None) -> tuple[Position | None, Range]:
    """The block after which to continue, and the buckets that are still missing."""
    if after is None:
        return None, wanted
    block = {name: value for name, value in after.items() if name != _START}
    return block or None, replace(wanted, start=int(after.get(_START, wanted.start)))


def _query(wanted: Range) -> Query:
    """The blocks of the whole range, on every page: a position must be within the requested range."""
    first, last = (at // wanted.grain.block * wanted.grain.block for at in (wanted.start, wanted.end - 1))
    return patterns.rollups(wanted.device, wanted.grain.name.upper(), first, last)


def _blocks(
    table: Table, query: Query, wanted: Range, asked: int, after: Position | None
) -> tuple[list[tuple[Position, list[Bucket]]], Position | None]:
    """The requested buckets of up to that many blocks, each with the position after it; and the next position."""
    found, end = pages.listed(table, query, asked, after, lambda item: (_block(wanted, item), item))
    items = dict(found)
    stored = _stored(table, wanted, items)
    device = DEVICE(wanted.device)
    item = item_with(table, device)
    kind = _KINDS[wanted.grain]
    waiting = pending(kind, device, item, lambda name: name.endswith(f".{wanted.metric}") and not is_place(name))
    first = keys.parse_rollup(after["SK"]) if after else wanted.start - wanted.grain.block
    last = keys.parse_rollup(end["SK"]) if end else wanted.end
    live_starts = {int(str(block)) for _, block in waiting}
    starts = {_start(about) for about in items} | {start for start in live_starts if first < start <= last}
    told = [(start, _buckets(wanted, start, stored, waiting)) for start in sorted(starts)]
    return [(_position(query, wanted, start), buckets) for start, buckets in told], end


def _block(wanted: Range, item: Item) -> AggregateId:
    return _KINDS[wanted.grain](wanted.device, keys.parse_rollup(string(item["SK"])))


def _position(query: Query, wanted: Range, block: Millis) -> Position:
    """The position after a block, whether it is stored already or all of it is live."""
    return query.position(key_item(_KINDS[wanted.grain].key(wanted.device, block)))


def _start(block: AggregateId) -> Millis:
    return int(str(block.dimensions[1]))


# The cells of a metric by the start of their buckets, each with the last closing that its item has absorbed.
Stored = dict[Millis, tuple[Cell | None, int]]


def _stored(table: Table, wanted: Range, items: Items) -> Stored:
    """The requested cells in the items, or else in their continuations."""
    found: Stored = {}
    while items:
        full = []
        for about, item in items.items():
            for cells, goes_on in each(table, partial(_told, wanted, about), [item]):
                found = cells | found  # an item further on has no say in what an earlier one has
                full += [about] if goes_on else []
        items = readers.next_on_path(table, full, cell_name(wanted.grain, 0, wanted.metric))
    return found


def _told(wanted: Range, about: AggregateId, item: Item) -> tuple[Stored, bool]:
    """The requested cells that an item has or would have, and whether others are in its continuations."""
    names = _names(wanted, _start(about))
    own = {start: name for start, name in names.items() if not is_elsewhere(item, name)}
    cells = {start: (stored.stored_cell(item, name, about), closed(item)) for start, name in own.items()}
    return cells, len(own) < len(names)


def _buckets(wanted: Range, block: Millis, stored: Stored, waiting: Pending) -> list[Bucket]:
    """The buckets of a block that count anything, in order."""
    its = waiting.get((wanted.device, block), {})
    cells = {
        start: with_pending(*stored.get(start, (None, 0)), its, name) for start, name in _names(wanted, block).items()
    }
    return [Bucket(start, cell) for start, cell in cells.items() if cell.count > 0]


def _names(wanted: Range, block: Millis) -> dict[Millis, str]:
    """When the requested buckets of a block begin, and the names of their cells."""
    starts = range(block, block + wanted.grain.block, wanted.grain.bucket)
    asked = (start for start in starts if wanted.start <= start < wanted.end)
    return {start: cell_name(wanted.grain, start, wanted.metric) for start in asked}
