"""Reads rollups: splits blocks of buckets into the buckets of one metric."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from functions.aggregates import continued
from functions.aggregates.continued import Items
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell
from functions.aggregates.stored import cell, is_elsewhere
from functions.dynamodb import pages
from functions.dynamodb.attributes import Item, string
from functions.dynamodb.decoding import each
from functions.dynamodb.queries import Position, Query
from functions.dynamodb.table import Table
from functions.systems.telemetry import keys, patterns
from functions.systems.telemetry.entity import DAILY, HOURLY, Grain, cell_name
from functions.systems.telemetry.system import ROLLUP_DAY, ROLLUP_HOUR
from functions.times import Millis

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
    further read takes twice as many. A page ends before its limit only if a page of blocks does. While blocks are full,
    each level of their continuations takes one more request.
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
    block = wanted.grain.block
    found, end = pages.listed(table, query, asked, after, lambda item: (query.position(item), *_block(wanted, item)))
    buckets: defaultdict[Millis, list[Bucket]] = defaultdict(list)
    for bucket in _buckets(table, wanted, {about: item for _, about, item in found}):
        buckets[bucket.start // block * block].append(bucket)
    in_order = [sorted(buckets[_start(about)], key=lambda bucket: bucket.start) for _, about, _ in found]
    return [(position, told) for (position, _, _), told in zip(found, in_order, strict=True)], end


def _block(wanted: Range, item: Item) -> tuple[AggregateId, Item]:
    return _KINDS[wanted.grain](wanted.device, keys.parse_rollup(string(item["SK"]))), item


def _start(block: AggregateId) -> Millis:
    return int(str(block.dimensions[1]))


def _buckets(table: Table, wanted: Range, items: Items) -> Iterator[Bucket]:
    """The buckets in the items, then those in their continuations."""
    while items:
        full = []
        for about, item in items.items():
            for buckets, goes_on in each(table, partial(_told, wanted, about), [item]):
                yield from buckets
                full += [about] if goes_on else []
        items = continued.next_on_path(table, full, cell_name(wanted.grain, 0, wanted.metric))


def _told(wanted: Range, about: AggregateId, item: Item) -> tuple[list[Bucket], bool]:
    """The buckets that an item has, and whether its continuations may have others."""
    names = list(_names(wanted, about))
    buckets = [Bucket(start, found) for start, name in names if (found := cell(about, item, name))]
    return buckets, any(is_elsewhere(item, name) for _, name in names)


def _names(wanted: Range, about: AggregateId) -> Iterator[tuple[Millis, str]]:
    """When the requested buckets of a block begin, and the names of their cells."""
    block = _start(about)
    for start in range(block, block + wanted.grain.block, wanted.grain.bucket):
        if wanted.start <= start < wanted.end:
            yield start, cell_name(wanted.grain, start, wanted.metric)
