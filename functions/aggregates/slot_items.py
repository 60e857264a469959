"""Slots as items: which aggregate each is of, and what it contributes to it."""

from collections.abc import Mapping
from typing import Any

from functions.aggregates import keys
from functions.aggregates.cells import unpack
from functions.aggregates.ids import AggregateId, Part
from functions.aggregates.kinds import Kind
from functions.aggregates.measures import Observation, Observations
from functions.dynamodb.attributes import Attribute, Item, s, string
from functions.dynamodb.keys import Key


def naming(about: AggregateId) -> Item:
    """What the item of a slot says beyond that of any aggregate: its kind and its name."""
    return {} if about.slot is None else {"Of": {"L": [s(about.kind.name), *map(_packed, about.parts)]}}


def observations(item: Item) -> Observations:
    """The counts and sums of a slot, also those below zero: what one lane adds another may take away."""
    cells = {name: unpack(packed, 0) for name, packed in item["Cells"]["M"].items()} if "Cells" in item else {}
    return {name: Observation(cell.count, amount=cell.total) for name, cell in cells.items()}


def aggregate_of(item: Item, kinds: Mapping[str, Kind]) -> AggregateId:
    """The aggregate that a slot is of: what the item's name says, if its key says the same.

    Raises KeyError, TypeError or ValueError if it is of nothing that this release knows.
    """
    kind, *parts = item["Of"]["L"]
    of = kinds[string(kind)](*map(_part, parts))
    key = Key(string(item["PK"]), string(item["SK"]))
    if keys.aggregate(of._replace(slot=keys.slot_number(key.sk))) != key:
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
