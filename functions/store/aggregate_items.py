"""Aggregates as items and back."""

from functions.domain.aggregates import Aggregate, AggregateId
from functions.domain.catalog import is_unbounded
from functions.domain.continuations import whole
from functions.domain.measures import Cell
from functions.domain.telemetry import DAILY, HOURLY
from functions.domain.times import Millis
from functions.store import codec, keys, marks, slots
from functions.store.attributes import Item, integer, key_item, n, s, string
from functions.store.cells import pack, unpack
from functions.store.unknowns import unknown_item, unknowns

_GRAINS = {"ROLLUP_HOUR": HOURLY, "ROLLUP_DAY": DAILY}


def aggregate_item(aggregate: Aggregate) -> Item:
    """The aggregate as it is stored.

    An emptied aggregate stays as long as its marks may be asked (functions.store.sweep). No time to live removes it: a
    record may come into quarantine later, and need the marks for longer than anybody knows when they are written.
    """
    key = keys.aggregate(aggregate.id)
    item = key_item(key) | slots.naming(aggregate.id)
    item |= {
        "Type": s(aggregate.id.kind),
        "Version": n(aggregate.version),
        "Marks": {"B": marks.pack(aggregate.marks)},
    }
    if aggregate.full:
        item["Full"] = {"BOOL": True}
    item |= unknown_item(aggregate)
    if aggregate.lacks:
        item["Lacks"] = s(aggregate.lacks)
    if aggregate.cells:
        packed = {name: pack(cell, bucket_start(aggregate.id, name)) for name, cell in aggregate.cells.items()}
        item["Cells"] = {"M": packed}
    if aggregate.emptied:
        newest = max(mark.at for mark in aggregate.marks.values())
        return item | {"GSI1PK": s(keys.emptied.shard_of(key)), "GSI1SK": s(keys.emptied.since(newest))}
    # Cells may count less than nothing while a record is in quarantine: no list shows them then.
    stands = any(cell.count > 0 for cell in aggregate.cells.values())
    return item | codec.index_keys(aggregate.id, aggregate.cells) if stands else item


def aggregate(aggregate_id: AggregateId, item: Item | None) -> Aggregate:
    """The inverse of aggregate_item; an aggregate without an item is empty and has version 0."""
    if item is None:
        return Aggregate(aggregate_id, unbounded=is_unbounded(aggregate_id))
    return Aggregate(
        aggregate_id,
        version=integer(item["Version"]),
        cells=_stored(aggregate_id, item),
        marks=marks.unpack(item["Marks"]["B"]),
        **unknowns(item),
        lacks=string(item["Lacks"]) if "Lacks" in item else "",
        unbounded=is_unbounded(aggregate_id),
        full=is_full(item),
    )


def is_full(item: Item) -> bool:
    """Whether cells that are not in the item may be in its continuations."""
    return "Full" in item


def is_emptied(item: Item) -> bool:
    """Whether the item stands among the emptied ones: then it can be read without its name."""
    return "GSI1PK" in item and string(item["GSI1PK"]) in keys.emptied.SHARDS


def is_elsewhere(item: Item, name: str) -> bool:
    """Whether the cell of this name, if there is one, is in the item's continuations."""
    return is_full(item) and name not in item["Cells"]["M"]


def cells(aggregate_id: AggregateId, item: Item) -> dict[str, Cell]:
    """The cells of an aggregate's item that stand for something; none if it has been emptied.

    Others are kept at nothing, or below it while a record that they need is in quarantine.
    """
    return {name: cell for name, cell in _stored(aggregate_id, item).items() if cell.count > 0}


def cell(aggregate_id: AggregateId, item: Item, name: str) -> Cell | None:
    """One cell of an aggregate's item, if it stands for something."""
    found = stored_cell(aggregate_id, item, name)
    return found if found and found.count > 0 else None


def stored_cell(aggregate_id: AggregateId, item: Item, name: str) -> Cell | None:
    """One cell of an aggregate's item, if it is kept, whatever it counts."""
    packed = item["Cells"]["M"].get(name) if "Cells" in item else None
    return None if packed is None else unpack(packed, bucket_start(aggregate_id, name))


def is_lacking(item: Item) -> bool:
    """Whether the aggregate does not count all that its marks cover."""
    return "Lacks" in item


def _stored(aggregate_id: AggregateId, item: Item) -> dict[str, Cell]:
    packed = item["Cells"]["M"] if "Cells" in item else {}
    # A plain count, such as that of an emptied cell, knows no time.
    return {name: unpack(each, 0 if "N" in each else bucket_start(aggregate_id, name)) for name, each in packed.items()}


def bucket_start(aggregate_id: AggregateId, cell: str) -> Millis:
    """Where the bucket of a rollup's cell begins; 0 for cells of other aggregates."""
    kind, parts = whole(aggregate_id)
    grain = _GRAINS.get(kind)
    if grain is None:
        return 0
    block = parts[-1]
    assert isinstance(block, int)
    return block + int(cell.partition(".")[0]) * grain.bucket
