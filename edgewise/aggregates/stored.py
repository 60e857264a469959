"""Aggregates as items and back."""

from edgewise.aggregates import keys, packed_checkpoints
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.alerts import held, held_item
from edgewise.aggregates.cells import pack, unpack
from edgewise.aggregates.continuations.declaration import FULL
from edgewise.aggregates.emptied import Emptied
from edgewise.aggregates.keys import CARRIER, AggregateId
from edgewise.aggregates.latest import NOWHERE, Place
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.open_hours.attributes import closed, closed_item, open_item, open_part
from edgewise.aggregates.open_hours.hours import NOTHING_OPEN
from edgewise.aggregates.rankings.declaration import enrolled, enrolled_item
from edgewise.aggregates.recounts.attributes import unknown_item, unknowns
from edgewise.aggregates.recounts.unknown import NOTHING_UNKNOWN
from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string

# The attribute of an aggregate with the version of the last change of doubts that its writer knew, if that was recent.
HEARD = "Heard"
# The attribute of one that counts what its one source is now, with the place of the record that has said so
# (edgewise/aggregates/latest.py).
LATEST = "Latest"


def aggregate_item(aggregate: Aggregate) -> Item:
    """The item of an aggregate.

    An emptied aggregate stays as long as its checkpoints may be needed (edgewise.stream.sweep). It has no time to
    live: a record may enter quarantine later, and for how long it then needs the checkpoints is unknown at this write.
    """
    item = key_item(keys.of(aggregate.id)) | {
        "Type": s(aggregate.id.type),
        "Version": n(aggregate.version),
        "Seqs": {"B": packed_checkpoints.pack(aggregate.checkpoints)},
    }
    if aggregate.lacks:
        item["Lacks"] = s(aggregate.lacks)
    if aggregate.id.kind.latest:
        item[LATEST] = s(str(aggregate.told))
    if aggregate.heard:
        item[HEARD] = n(aggregate.heard)
    if aggregate.cells:
        packed = {name: pack(cell, aggregate.id.bucket_start(name)) for name, cell in aggregate.cells.items()}
        item["Cells"] = {"M": packed}
    if plain := aggregate.id.kind.plain:
        item |= plain.attributes(aggregate.cells, aggregate.unknown.names, bool(aggregate.lacks))
    return item | _beside_cells(aggregate) | entries(aggregate)


def _beside_cells(aggregate: Aggregate) -> Item:
    """The attributes of what an aggregate keeps beside its cells; none of one that only counts."""
    item: Item = {}
    kind = aggregate.id.kind
    if aggregate.full:
        item[FULL] = {"BOOL": True}
    if hours := kind.open_hours:
        item |= open_item(aggregate.open, aggregate.version, hours.start)
    if aggregate.closed:
        item |= closed_item(aggregate.closed)
    if kind.extremes:
        item |= unknown_item(aggregate.id, aggregate.unknown)
    if aggregate.enrolled:
        item |= enrolled_item(aggregate.enrolled)
    if aggregate.alerts:
        item |= held_item(aggregate.alerts)
    if kind.derives and aggregate.state is not None:
        item |= kind.derives.attributes(aggregate.state)
    return item


def entries(aggregate: Aggregate) -> Item:
    """The attributes that put the item of an aggregate into indexes: as what it counts, or among the emptied ones."""
    if aggregate.emptied:
        # A repair may write one that has absorbed nothing: its version is the time of its first write.
        newest = max((checkpoint.at for checkpoint in aggregate.checkpoints.values()), default=aggregate.version)
        return {"GSI1PK": s(keys.emptied_list(keys.of(aggregate.id))), "GSI1SK": s(keys.emptied_since(newest))}
    # While a record is in quarantine, counts may be below zero: no list shows such an aggregate.
    stands = any(cell.count > 0 for cell in aggregate.cells.values())
    return aggregate.id.kind.entries(aggregate.id, aggregate.cells) if stands and aggregate.id.is_read else {}


def aggregate(aggregate_id: AggregateId, item: Item | None) -> Aggregate:
    """The inverse of aggregate_item; an aggregate without an item is empty and has version 0."""
    if item is None:
        return Aggregate(aggregate_id)
    kind = aggregate_id.kind
    return Aggregate(
        aggregate_id,
        version=integer(item["Version"]),
        cells=_stored(item, aggregate_id),
        checkpoints=packed_checkpoints.unpack(item["Seqs"]["B"]),
        lacks=_lacks(item),
        heard=heard(item),
        full=FULL in item,
        open=open_part(item, kind.open_hours.start) if kind.open_hours else NOTHING_OPEN,
        closed=closed(item) if kind.opened_in else 0,
        unknown=unknowns(item) if kind.extremes else NOTHING_UNKNOWN,
        enrolled=enrolled(item) if kind.ranked else (),
        alerts=held(item) if kind.alerts else {},
        state=kind.derives.read(item) if kind.derives else None,
        told=Place.parse(string(item[LATEST])) if kind.latest else NOWHERE,
    )


def is_emptied(item: Item) -> bool:
    """Whether an item is an aggregate that counts nothing any more, and is only not removed yet."""
    return "GSI1PK" in item and string(item["GSI1PK"]) in keys.EMPTIED_LISTS


def emptied(item: Item) -> Emptied | None:
    """What an item is that may leave: an aggregate that is listed as emptied, or a carrier; None for all others."""
    if not is_emptied(item) and string(item["Type"]) != CARRIER:
        return None
    checkpoints = packed_checkpoints.unpack(item["Seqs"]["B"])
    return Emptied(integer(item["Version"]), checkpoints, _lacks(item), LATEST in item)


def cells(item: Item, about: AggregateId | None = None) -> dict[str, Cell]:
    """The cells of an aggregate's item with a count above zero; none if it has been emptied.

    Other cells are kept with a count of zero, or below zero while a record that adds to them is in quarantine. `about`
    is needed only for kinds whose cells are time buckets.
    """
    return {name: cell for name, cell in _stored(item, about).items() if cell.count > 0}


def cell(about: AggregateId, item: Item, name: str) -> Cell | None:
    """One cell of an aggregate's item, if its count is above zero."""
    found = stored_cell(item, name, about)
    return found if found and found.count > 0 else None


def stored_cell(item: Item, name: str, about: AggregateId | None = None) -> Cell | None:
    """One cell of an aggregate's item, whatever its count; None if the item does not have it."""
    packed = item["Cells"]["M"].get(name) if "Cells" in item else None
    return None if packed is None else unpack(packed, _start(about, name))


def is_lacking(item: Item) -> bool:
    """Whether the aggregate lacks something that its checkpoints cover."""
    return "Lacks" in item


def has_lost_too_much(item: Item) -> bool:
    """Whether something went that has never come, as what was stored before it was declared: it lacks that."""
    return any(cell.count < 0 or (cell.counts and not cell.count) for cell in _stored(item, None).values())


def _stored(item: Item, about: AggregateId | None) -> dict[str, Cell]:
    packed = item["Cells"]["M"] if "Cells" in item else {}
    # A plain count, such as that of an emptied cell, has no times: its bucket's start is not needed.
    return {name: unpack(each, 0 if "N" in each else _start(about, name)) for name, each in packed.items()}


def _lacks(item: Item) -> str:
    return string(item["Lacks"]) if "Lacks" in item else ""


def _start(about: AggregateId | None, cell: str) -> int:
    return about.bucket_start(cell) if about else 0


def heard(item: Item) -> int:
    """The version of the last change that the writer of an aggregate knew, if it was recent then."""
    return integer(item[HEARD]) if HEARD in item else 0
