"""Rollups read: blocks of buckets taken apart into one metric's buckets."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from functions.domain.aggregates import AggregateId
from functions.domain.measures import Cell
from functions.domain.telemetry import Grain, cell_name
from functions.domain.times import Millis
from functions.store import continuations, keys, pages, patterns
from functions.store.aggregate_items import bucket_start, cell, is_elsewhere
from functions.store.attributes import Item, string
from functions.store.continuations import Items
from functions.store.decoding import each
from functions.store.queries import Position
from functions.store.table import Table


@dataclass(frozen=True)
class Bucket:
    """One hour or day of one metric."""

    start: Millis
    cell: Cell


@dataclass(frozen=True)
class Range:
    """Which buckets are asked for: those of a metric that begin from `start` on and before `end`."""

    device: str
    metric: str
    grain: Grain
    start: Millis
    end: Millis


def page(table: Table, wanted: Range, limit: int, after: Position | None) -> tuple[list[Bucket], Position | None]:
    """The buckets of up to `limit` blocks, in order, and where to go on.

    One request, and while blocks are full one more for each level of their continuations.
    """
    block = wanted.grain.block
    query = patterns.telemetry.rollups(
        wanted.device, wanted.grain.name.upper(), wanted.start // block * block, (wanted.end - 1) // block * block
    )
    found = pages.read(table, query, limit, after)
    blocks = dict(each(table, partial(_block, wanted), found.items))
    return sorted(_buckets(table, wanted, blocks), key=lambda bucket: bucket.start), found.next


def _block(wanted: Range, item: Item) -> tuple[AggregateId, Item]:
    block = keys.telemetry.parse_rollup(string(item["SK"]))
    return AggregateId(string(item["Type"]), (wanted.device, block)), item


def _buckets(table: Table, wanted: Range, items: Items) -> Iterator[Bucket]:
    """Those in the items, then those in their continuations."""
    while items:
        full = []
        for about, item in items.items():
            for buckets, goes_on in each(table, partial(_told, wanted, about), [item]):
                yield from buckets
                full += [about] if goes_on else []
        items = continuations.next_on_path(table, full, cell_name(wanted.grain, 0, wanted.metric))


def _told(wanted: Range, about: AggregateId, item: Item) -> tuple[list[Bucket], bool]:
    """The buckets that an item has, and whether its continuations may have others."""
    names = list(_names(wanted, about))
    buckets = [Bucket(start, found) for start, name in names if (found := cell(about, item, name))]
    return buckets, any(is_elsewhere(item, name) for _, name in names)


def _names(wanted: Range, about: AggregateId) -> Iterator[tuple[Millis, str]]:
    """When the wanted buckets of a block begin, and what their cells are called."""
    block = bucket_start(about, cell_name(wanted.grain, 0, wanted.metric))
    for start in range(block, block + wanted.grain.block, wanted.grain.bucket):
        if wanted.start <= start < wanted.end:
            yield start, cell_name(wanted.grain, start, wanted.metric)
