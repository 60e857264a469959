"""Rollups read: blocks of buckets taken apart into one metric's buckets."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from functions.domain.aggregates import AggregateId
from functions.domain.declarations import Grain
from functions.domain.measures import Cell
from functions.domain.times import Millis
from functions.store import keys, patterns
from functions.store.aggregate_items import bucket_start, cells
from functions.store.attributes import Item, string
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
    """The buckets of up to `limit` blocks, in order, and where to go on."""
    block = wanted.grain.block
    query = patterns.rollups(
        wanted.device, wanted.grain.name.upper(), wanted.start // block * block, (wanted.end - 1) // block * block
    )
    found = table.query(replace(query, limit=limit, after=after))
    buckets = [bucket for item in found.items for bucket in _buckets(item, wanted)]
    return buckets, found.next


def _buckets(item: Item, wanted: Range) -> Iterator[Bucket]:
    aggregate_id = AggregateId(string(item["Type"]), (wanted.device, keys.parse_rollup(string(item["SK"]))))
    for name, cell in sorted(cells(aggregate_id, item).items(), key=lambda named: bucket_start(aggregate_id, named[0])):
        start = bucket_start(aggregate_id, name)
        if name.partition(".")[2] == wanted.metric and wanted.start <= start < wanted.end and cell.count:
            yield Bucket(start, cell)
