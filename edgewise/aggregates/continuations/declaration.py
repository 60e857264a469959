"""The declaration that users name the cells of a kind's aggregates, and how many of them an item takes."""

from collections.abc import Collection, Iterable
from itertools import accumulate, chain
from typing import Any

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.parts import Change, Part
from edgewise.dynamodb.attributes import Item

# An item holds at most 400 KB. Cells may take this much of it; the rest is for the checkpoints of 500 shards over
# their lifetime.
ROOM = 190_000
# The longest value of a cell: a count, a sum, and four numbers, two of them with an instant.
VALUE_BYTES = 220


class Unbounded(Part):
    """Users name the cells, so an aggregate may have any number of them, in several items.

    It then can't feed other aggregates, nor be shared. An item keeps every name that it has absorbed, even when the
    cell is empty. Once a name does not fit, the item is full, which is all that is kept here, and its names never
    change again: all other names belong to its continuations (edgewise/aggregates/continuations/items.py).
    """

    # When an item is full, records of an emptied cell may come again alone: they must find its name there.
    keeps_names = True
    costs = "cells that don't fit into the item stand in further ones, each of which costs as much as the item"

    def read(self, item: Item, _about: AggregateId) -> bool | None:
        """True if the item is full."""
        return is_full(item) or None

    def attributes(self, _of: Aggregate, kept: Any) -> Item:
        """The attribute `Full`."""
        return {"Full": {"BOOL": True}} if kept else {}

    def counts(self, kept: Any) -> bool:
        """The continuations of a full item may count something."""
        return bool(kept)

    def concerns(self, of: Aggregate, effect: Effect) -> bool:
        """A full item is concerned only by the names that it has."""
        return not is_continued(of) or any(name in of.cells for name in chain(effect.added, effect.removed))

    def absorbed(self, before: Aggregate, _kept: Any, change: Change) -> bool | None:
        """It admits new names while they fit; the changes of others are its continuations'."""
        new, full = admitted(before, change.deltas)
        for name in change.deltas.keys() - before.cells.keys() - set(new):
            del change.deltas[name]
        return full or None


def is_unbounded(kind: Kind) -> bool:
    """Whether users name the cells of a kind's aggregates."""
    return kind.part(Unbounded) is not None


def is_continued(item: Aggregate) -> bool:
    """Whether the item of an aggregate is full."""
    return Unbounded in item.kept


def is_full(item: Item) -> bool:
    """Whether the item has continuations, which may have further cells."""
    return "Full" in item


def is_elsewhere(item: Item, name: str) -> bool:
    """Whether the cell with this name, if it exists, is in the item's continuations."""
    return is_full(item) and name not in item["Cells"]["M"]


def admitted(item: Aggregate, names: Iterable[str]) -> tuple[Collection[str], bool]:
    """The new names that the item admits, and whether it is full after that."""
    new = [name for name in names if name not in item.cells]
    if is_continued(item):
        return (), True
    if not (new and is_unbounded(item.id.kind)):
        return new, False
    weights = accumulate(map(weight, chain(item.cells, new)))
    fitting = sum(1 for reached in weights if reached <= ROOM) - len(item.cells)
    # An empty item always admits the first name, or that name would be passed on for ever.
    fitting = max(fitting, 0 if item.cells else 1)
    return new[:fitting], fitting < len(new)


def weight(name: str) -> int:
    """How many bytes of an item to reserve for a cell: its name, the same name among those due, and its value."""
    return 2 * len(name.encode()) + VALUE_BYTES
