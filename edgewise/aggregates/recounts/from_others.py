"""Derives the extremes of an aggregate from those of others, which are never behind it (docs/exactly-once.md)."""

from collections.abc import Iterator, Set

from edgewise.aggregates import stored
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.declaration import is_elsewhere
from edgewise.aggregates.continuations.items import continuation
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Extremes, joined
from edgewise.aggregates.recounts.attributes import due, unknown
from edgewise.aggregates.recounts.declaration import FromOthers
from edgewise.aggregates.recounts.progress import Progress
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.table import Table


def derived(table: Table, found: FromOthers, about: AggregateId, names: Set[str]) -> Progress:
    """The extremes of some cells of an aggregate.

    If one of the others does not know an extreme now, the aggregate can't know it either: it waits for a recount under
    way, and is due where the other is, because the source may have expired, or lacks something.
    """
    whole = {cell: name for name in names for cell in found.cells(name)}
    extremes, blocked, not_known = dict[str, Extremes](), set[str](), set[str]()
    for other, item in _others(table, found, about, whole.keys()):
        unknown_there, due_there = unknown(item), due(item)
        for cell, name in whole.items():
            if has := stored.stored_cell(item, cell, other):
                extremes[name] = joined(extremes.get(name, Extremes()), has.extremes)
            if cell in due_there or stored.is_lacking(item):
                not_known.add(name)
            elif cell in unknown_there:
                blocked.add(name)
    known = {name: each for name, each in extremes.items() if name not in not_known}
    return Progress(known, blocked=frozenset(blocked))


def _others(table: Table, found: FromOthers, about: AggregateId, cells: Set[str]) -> Iterator[tuple[AggregateId, Item]]:
    """The others, and those of their continuations that may have one of these cells."""
    items = {found.kind.at(key_of(item)): item for item in found.items(table, *about.dimensions)}
    while items:
        yield from items.items()
        further = {continuation(of, cell) for of, item in items.items() for cell in cells if is_elsewhere(item, cell)}
        items = readers.read(table, further)
