"""Whether the aggregates in the table equal the recount of the input: a benchmark of wrong numbers is worthless."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import boto3

from benchmarks.workloads import Workload
from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import EXACT, Cell, joined
from edgewise.aggregates.open_hours.declaration import Changes, opened
from edgewise.aggregates.stored import cells
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key as TableKey
from edgewise.dynamodb.table import Table
from edgewise.times import rfc_3339
from functions.catalog import CATALOG
from functions.systems.telemetry import keys as telemetry_keys
from ops.recounting.compare import Comparison, compare
from ops.recounting.facts import Dimension, Fields, Name, by_kind
from ops.recounting.recount import DAYS, HOURS, recount, rounded_mean

PAGE = 1000  # items; a page of 1 MB can take DynamoDB Local seconds


@dataclass(frozen=True)
class _Shape:
    """The fields of a kind of aggregate in the recount with their cells, and the cell with first and last."""

    counts: Mapping[str, str]
    spanned: str | None = None


_SHAPES = {
    "ROOM": _Shape({"messages": "Messages", "users": "Users"}),
    "USER": _Shape({"messages": "Messages", "rooms": "Rooms"}),
    "POSTED_IN": _Shape({"messages": "Count"}, "Count"),
    "DEVICE": _Shape({"events": "Events", "places": "Places"}, "Events"),
    "REPORTED_FROM": _Shape({"events": "Count"}, "Count"),
    "PLACE": _Shape({"events": "Events", "devices": "Devices"}),
}


def comparisons(table: Table, *workloads: Workload) -> list[Comparison]:
    """Every kind of aggregate: the table's numbers beside those recounted from the input."""
    numbers = _numbers(table).items()
    found = by_kind(dict(chain.from_iterable(_facts(kind, key, held) for key, (kind, held) in numbers)))
    readings = [reading for workload in workloads for reading in workload.readings]
    messages = [message for workload in workloads for message in workload.messages]
    expected = by_kind(recount(readings, messages))
    return [compare(kind, found.get(kind, {}), facts) for kind, facts in expected.items()]


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
        for about, changes in _opened(item).items():
            _, numbers = found.setdefault(aggregate_keys.of(about), (about.kind.name, {}))
            for name, delta in changes.items():
                numbers[name] = _both(numbers.get(name), delta)
    return found


def _aggregates(table: Table) -> Iterator[Item]:
    """Every item with cells."""
    client: Any = boto3.client("dynamodb")
    for page in client.get_paginator("scan").paginate(TableName=table.name, Limit=PAGE):
        for item in page["Items"]:
            if "Cells" in item:
                yield item


def _opened(item: Item) -> Mapping[AggregateId, Changes]:
    """What waits in an item for other aggregates."""
    return opened(CATALOG.aggregate_of(item), item) if string(item["Type"]) in CATALOG.senders else {}


def _both(one: Cell | None, other: Cell) -> Cell:
    if one is None:
        return other
    return Cell(one.count + other.count, EXACT.add(one.total, other.total), joined(one.extremes, other.extremes))


def _block(kind: str, key: TableKey) -> AggregateId | None:
    """The block of rollups; None if it is not one."""
    if kind not in (HOURS, DAYS):
        return None
    return CATALOG.kinds[kind](*aggregate_keys.entity(key.pk), telemetry_keys.parse_rollup(key.sk))


def _facts(kind: str, key: TableKey, numbers: Mapping[str, Cell]) -> Iterator[tuple[Name, Fields]]:
    if block := _block(kind, key):
        yield from _rollups(block, numbers)
    elif kind == "HOSTS":
        yield from [(_name(kind, key), {"there": True})] if numbers else []
    else:
        shape = _SHAPES[kind]
        counts = {field: numbers[cell].count for field, cell in shape.counts.items()}
        yield _name(kind, key), counts | (_span(numbers[shape.spanned]) if shape.spanned else {})


def _name(kind: str, key: TableKey) -> Name:
    """The name of an aggregate: places are paths, everything else is a text."""
    node = aggregate_keys.entity(key.pk)
    target = () if key.sk == aggregate_keys.SUMMARY else aggregate_keys.edge_target(key.sk)
    about: dict[str, tuple[Dimension, ...]] = {
        "PLACE": ((*node, *target),),
        "HOSTS": (node, *target),
        "REPORTED_FROM": (*node, target),
    }
    return Name(kind, about.get(kind, (*node, *target)))


def _rollups(about: AggregateId, numbers: Mapping[str, Cell]) -> Iterator[tuple[Name, Fields]]:
    for cell_name, cell in numbers.items():
        start, metric = rfc_3339(about.bucket_start(cell_name)), cell_name.partition(".")[2]
        yield Name(about.kind.name, (str(about.dimensions[0]), metric, start)), _summary(cell)


def _span(cell: Cell) -> dict[str, object]:
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
        "mean": rounded_mean(cell.total / cell.count),
        "min": low,
        "max": high,
        "first": first.value,
        "last": last.value,
    }
