"""Rollups read: blocks of buckets taken apart into one metric's buckets."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from functions.domain.aggregates import AggregateId
from functions.domain.measures import Cell
from functions.domain.telemetry import Grain, cell_name
from functions.domain.times import Millis
from functions.store import keys, pages, patterns
from functions.store.aggregate_items import cell
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
    query = patterns.telemetry.rollups(
        wanted.device, wanted.grain.name.upper(), wanted.start // block * block, (wanted.end - 1) // block * block
    )
    blocks, position = pages.listed(table, query, limit, after, lambda item: list(_buckets(item, wanted)))
    return list(chain.from_iterable(blocks)), position


def _buckets(item: Item, wanted: Range) -> Iterator[Bucket]:
    block = keys.telemetry.parse_rollup(string(item["SK"]))
    aggregate_id = AggregateId(string(item["Type"]), (wanted.device, block))
    for start in range(block, block + wanted.grain.block, wanted.grain.bucket):
        found = cell(aggregate_id, item, cell_name(wanted.grain, start, wanted.metric))
        if found is not None and wanted.start <= start < wanted.end:
            yield Bucket(start, found)
