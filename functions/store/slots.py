"""Slots as items: which aggregate each is of, and what it contributes to it."""

from typing import Any

from functions.domain.aggregates import AggregateId, Contributions, Part
from functions.domain.measures import Observation
from functions.domain.slots import SLOT, aggregate_of, slot_id
from functions.store import keys
from functions.store.attributes import Attribute, Item, s, string
from functions.store.cells import unpack
from functions.store.keys import Key


def naming(aggregate_id: AggregateId) -> Item:
    """What the item of a slot says beyond that of any aggregate: its kind and its name."""
    if aggregate_id.kind != SLOT:
        return {}
    of = aggregate_of(aggregate_id)
    return {"Of": {"L": [s(of.kind), *map(_packed, of.parts)]}}


def contributions(item: Item) -> Contributions:
    """The counts and sums of a slot, also those below zero: what one lane adds another may take away.

    Raises KeyError, TypeError or ValueError if it is of nothing that this release knows.
    """
    if "Cells" not in item:
        return {}
    of = _aggregate_of(item)
    cells = {name: unpack(packed, 0) for name, packed in item["Cells"]["M"].items()}
    return {of: {name: Observation(cell.count, amount=cell.total) for name, cell in cells.items()}}


def _aggregate_of(item: Item) -> AggregateId:
    """What the item's name says, if its key says the same."""
    kind, *parts = item["Of"]["L"]
    of = AggregateId(string(kind), tuple(map(_part, parts)))
    key = Key(string(item["PK"]), string(item["SK"]))
    if keys.aggregate(slot_id(of, keys.slots.parse_number(key.sk))) != key:
        raise ValueError(f"{key} is no slot of {of}")
    return of


def _packed(part: Part) -> Attribute:
    if isinstance(part, tuple):
        return {"L": list(map(s, part))}
    if isinstance(part, str):
        return s(part)
    raise TypeError(f"aggregates over time are fed from one partition: {part}")


def _part(packed: Attribute) -> Any:
    return tuple(map(string, packed["L"])) if "L" in packed else string(packed)
