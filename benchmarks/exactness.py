"""Whether the aggregates in the table equal the recount of the input: a benchmark of wrong numbers is worthless."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import boto3

from benchmarks.workloads import Workload
from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.measures import EXACT, ZERO, Cell, Observation, Observations, joined
from edgewise.aggregates.stored import cells
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key as TableKey
from edgewise.dynamodb.table import Table
from edgewise.times import rfc_3339
from functions.catalog import CATALOG
from functions.systems.telemetry import keys as telemetry_keys
from local.compare import Comparison, compare
from local.recount import Facts, Fields, Key, recount, rounded_mean

Fact = tuple[str, Key, Fields]
PAGE = 1000  # items; a page of 1 MB can take DynamoDB Local seconds


@dataclass(frozen=True)
class _Shape:
    """The name of a kind of aggregate in the recount: its fields with their cells, and the cell with first and last."""

    name: str
    counts: Mapping[str, str]
    spanned: str | None = None


_SHAPES = {
    "ROOM": _Shape("rooms", {"messages": "Messages", "users": "Users"}),
    "USER": _Shape("users", {"messages": "Messages", "rooms": "Rooms"}),
    "POSTED_IN": _Shape("users in rooms", {"messages": "Count"}, "Count"),
    "DEVICE": _Shape("devices", {"events": "Events", "places": "Places"}, "Events"),
    "REPORTED_FROM": _Shape("devices at places", {"events": "Count"}, "Count"),
    "PLACE": _Shape("places", {"events": "Events", "devices": "Devices"}),
}
_ROLLUPS = {"ROLLUP_HOUR": "hourly rollups", "ROLLUP_DAY": "daily rollups"}


def comparisons(table: Table, *workloads: Workload) -> list[Comparison]:
    """Every kind of aggregate: the table's numbers beside those recounted from the input."""
    found: dict[str, Facts] = defaultdict(dict)
    for key, (kind, numbers) in _numbers(table).items():
        for name, fact, fields in _facts(kind, key, numbers):
            found[name][fact] = fields
    readings = [reading for workload in workloads for reading in workload.readings]
    messages = [message for workload in workloads for message in workload.messages]
    expected = recount(readings, messages)
    return [compare(kind, found[kind], facts) for kind, facts in expected.items()]


def verdict(table: Table, *workloads: Workload) -> str:
    """`exact`, or how many aggregates differ."""
    compared = comparisons(table, *workloads)
    wrong = sum(len(comparison.different) for comparison in compared)
    return f"{wrong:,} differ" if wrong else "exact"


def _numbers(table: Table) -> Mapping[TableKey, tuple[str, Mapping[str, Cell]]]:
    """The kind and the cells of each aggregate: those that are stored, and with them what is open in devices."""
    found: dict[TableKey, tuple[str, dict[str, Cell]]] = {}
    for item in _aggregates(table):
        key, kind = key_of(item), string(item["Type"])
        _, numbers = found.setdefault(key, (kind, {}))
        for name, cell in cells(item, _block(kind, key)).items():
            numbers[name] = _both(numbers.get(name), cell)
        for about, opened in _opened(item):
            _, numbers = found.setdefault(aggregate_keys.of(about), (about.kind.name, {}))
            for name, observation in opened.items():
                numbers[name] = _both(numbers.get(name), _opened_cell(observation))
    return found


def _aggregates(table: Table) -> Iterator[Item]:
    """Every item with cells, except the edges that the recount only counts (as distinct devices)."""
    client: Any = boto3.client("dynamodb")
    for page in client.get_paginator("scan").paginate(TableName=table.name, Limit=PAGE):
        for item in page["Items"]:
            if "Cells" in item and item["Type"]["S"] != "HOSTS":
                yield item


def _opened(item: Item) -> Iterator[tuple[AggregateId, Observations]]:
    """What waits in an item for other aggregates."""
    for kind in CATALOG.kinds.values():
        for feed in kind.feeds:
            if feed.source.still_open and feed.source.type == string(item["Type"]):
                for dimensions, fed in feed.into(feed.source.still_open(item)):
                    yield kind(*dimensions), fed


def _opened_cell(observation: Observation) -> Cell:
    assert observation.passed is not None
    return Cell(observation.weight, observation.amount or ZERO, observation.passed.came)


def _both(one: Cell | None, other: Cell) -> Cell:
    if one is None:
        return other
    return Cell(one.count + other.count, EXACT.add(one.total, other.total), joined(one.extremes, other.extremes))


def _block(kind: str, key: TableKey) -> AggregateId | None:
    """The block of rollups; None if it is not one."""
    if kind not in _ROLLUPS:
        return None
    return CATALOG.kinds[kind](*aggregate_keys.entity(key.pk), telemetry_keys.parse_rollup(key.sk))


def _facts(kind: str, key: TableKey, numbers: Mapping[str, Cell]) -> Iterator[Fact]:
    if block := _block(kind, key):
        yield from _rollups(block, numbers)
        return
    shape, node = _SHAPES[kind], aggregate_keys.entity(key.pk)
    about = node if key.sk == aggregate_keys.SUMMARY else node + aggregate_keys.edge_target(key.sk)
    counts: Fields = {field: numbers[cell].count for field, cell in shape.counts.items()}
    yield shape.name, about, counts | (_span(numbers[shape.spanned]) if shape.spanned else {})


def _rollups(about: AggregateId, numbers: Mapping[str, Cell]) -> Iterator[Fact]:
    for cell_name, cell in numbers.items():
        start, metric = rfc_3339(about.bucket_start(cell_name)), cell_name.partition(".")[2]
        yield _ROLLUPS[about.kind.name], (str(about.dimensions[0]), metric, start), _summary(cell)


def _span(cell: Cell) -> Fields:
    first, last = cell.extremes.first, cell.extremes.last
    assert first is not None
    assert last is not None
    return {"first": rfc_3339(first.at), "last": rfc_3339(last.at)}


def _summary(cell: Cell) -> Fields:
    low, high, first, last = cell.extremes.low, cell.extremes.high, cell.extremes.first, cell.extremes.last
    assert low is not None
    assert high is not None
    assert first is not None
    assert last is not None
    return {
        "count": cell.count,
        "sum": cell.total,
        "mean": rounded_mean(cell.total, cell.count),
        "min": low,
        "max": high,
        "first": first.value,
        "last": last.value,
    }
