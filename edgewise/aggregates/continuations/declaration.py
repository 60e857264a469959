"""The declaration that users name the cells of a kind's aggregates, and how many of them an item takes."""

from collections.abc import Collection, Mapping
from itertools import accumulate, chain

from edgewise.aggregates.measures import Cell
from edgewise.dynamodb.attributes import Item

# The attribute of an item that is full.
FULL = "Full"
# An item holds at most 400 KB. Cells may take this much of it; the rest is for the checkpoints of 500 shards over
# their lifetime.
ROOM = 190_000
# The longest value of a cell: a count, a sum, and four numbers, two of them with an instant; all of 31 digits. What the
# texts of numbers have beyond these digits, a sign and a point, counts besides.
VALUE_BYTES, _NUMBER_BYTES = 220, 33


class Unbounded:
    """Users name the cells, so an aggregate may have any number of them, in several items.

    It then can't feed other aggregates, nor be shared. An item keeps every name that it has absorbed, even when the
    cell is empty. Once a name does not fit, the item is full, and its names never change
    again: all other names belong to its continuations (edgewise/aggregates/continuations/items.py).
    """

    costs = "cells that don't fit into the item stand in further ones, each of which costs as much as the item"


def is_full(item: Item) -> bool:
    """Whether the item has continuations, which may have further cells."""
    return FULL in item


def is_elsewhere(item: Item, name: str) -> bool:
    """Whether the cell with this name, if it exists, is in the item's continuations."""
    return is_full(item) and name not in item["Cells"]["M"]


def admitted(stored: Mapping[str, Cell], cells: Mapping[str, Cell], *, full: bool) -> tuple[Collection[str], bool]:
    """The new names of these cells that an item with the stored ones admits, and whether it is full after that."""
    new = [] if full else [name for name in cells if name not in stored]
    if not new:
        return new, full
    weights = accumulate(weight(*each) for each in chain(stored.items(), ((name, cells[name]) for name in new)))
    fitting = sum(1 for reached in weights if reached <= ROOM) - len(stored)
    # An empty item always admits the first name, or that name would be passed on for ever.
    fitting = max(fitting, 0 if stored else 1)
    return new[:fitting], fitting < len(new)


def weight(name: str, cell: Cell) -> int:
    """How many bytes of an item to reserve for a cell: its name, the same name among those due, and its value.

    Numbers that are longer than most count as they are now.
    """
    low, high, first, last = cell.extremes.low, cell.extremes.high, cell.extremes.first, cell.extremes.last
    numbers = (cell.total, low, high, first and first.value, last and last.value)
    beyond = sum(max(0, len(str(each)) - _NUMBER_BYTES) for each in numbers)
    return 2 * len(name.encode()) + VALUE_BYTES + beyond
