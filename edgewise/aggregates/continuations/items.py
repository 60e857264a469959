"""Continuations: further items for the cells of an aggregate that don't fit into its own item.

An item takes new names while they fit. Then it is full: its names are fixed, and every other name belongs to one of
sixteen continuations, chosen by a hash of the name. A full continuation has sixteen continuations of its own, so the
number of names is unlimited, and each is found in a few steps. Each item has its own checkpoints.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.continuations.declaration import admitted
from edgewise.aggregates.effects import Batch, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Observations
from edgewise.aggregates.recounts.unknown import NOTHING_UNKNOWN, Unknown

_DIGITS = "0123456789abcdef"


def continuation(of: AggregateId, name: str) -> AggregateId:
    """The next item that may have the cell with this name, if this one is full and doesn't have it."""
    return of._replace(path=of.path + _hash(name)[len(of.path)])


def continuations(of: AggregateId) -> list[AggregateId]:
    """The sixteen continuations of this item once it is full."""
    return [of._replace(path=of.path + digit) for digit in _DIGITS]


def passed_on(of: Aggregate, effects: Sequence[Effect]) -> Batch:
    """The part of the effects that concerns names which this item, a full one, doesn't have, by their continuation.

    All effects are divided, even those that the item's checkpoints cover: its continuations may not have absorbed
    them yet. Nothing that the item absorbed before it was full is passed on, because an item keeps every name that
    it has absorbed; nor what it passed over because a repair had counted it, whose names it keeps as well.
    """
    rest: dict[AggregateId, list[Effect]] = {}
    for effect in effects:
        for place, added, removed in _divided(of, effect):
            rest.setdefault(place, []).append(replace(effect, added=added, removed=removed))
    return rest


def merged(items: Sequence[Aggregate]) -> Aggregate:
    """The first item with the cells of all items, as if they were one; it is lacking if any of them is.

    If an item was lost, a name may be in two of them: then the first counts, as for readers and writers.
    """
    cells = {name: cell for item in reversed(items) for name, cell in item.cells.items()}
    due = frozenset[str]().union(*(item.unknown.names for item in items))
    lacks = next((item.lacks for item in items if item.lacks), "")
    return replace(items[0], cells=cells, lacks=lacks, unknown=Unknown(due))


def put_right(
    items: Sequence[Aggregate], cells: Mapping[str, Cell], lacks: str = "", closed: int = 0
) -> list[Aggregate]:
    """An aggregate and its continuations, corrected to have these cells and no others that count anything.

    Each cell stays in the item that has its name; versions and checkpoints stay. `lacks` says what the cells lack, and
    `closed` is the number of the last closing that they have.
    """
    stored = {item.id: item for item in items}
    put = _put_right(stored, items[0].id, cells)
    return [replace(item, lacks=lacks, closed=max(item.closed, closed)) for item in put]


def _put_right(
    stored: Mapping[AggregateId, Aggregate], about: AggregateId, cells: Mapping[str, Cell]
) -> Iterator[Aggregate]:
    item = stored.get(about, Aggregate(about))
    unbounded = about.kind.unbounded
    new, full = admitted(item.cells, cells, full=item.full) if unbounded else (cells.keys(), False)
    own = {name: cells.get(name, Cell()) for name in [*item.cells, *new]}
    counted = {name: cell for name, cell in own.items() if cell.counts}
    right = replace(item, cells=own if unbounded else counted, full=full, unknown=NOTHING_UNKNOWN)
    yield right
    rest = grouped(about, cells.keys() - own.keys())
    for place in continuations(about):
        if place in rest or place in stored:
            yield from _put_right(stored, place, {name: cells[name] for name in rest.get(place, ())})


def _divided(item: Aggregate, effect: Effect) -> Iterator[tuple[AggregateId, Observations, Observations]]:
    names = [name for name in {**effect.added, **effect.removed} if name not in item.cells]
    for place, own in grouped(item.id, names).items():
        yield place, _only(own, effect.added), _only(own, effect.removed)


def grouped(of: AggregateId, names: Iterable[str]) -> dict[AggregateId, list[str]]:
    """The names, grouped by the continuation of a full item that they belong to."""
    places: dict[AggregateId, list[str]] = {}
    for name in names:
        places.setdefault(continuation(of, name), []).append(name)
    return places


def _only(names: Sequence[str], seen: Observations) -> Observations:
    return {name: seen[name] for name in names if name in seen}


def _hash(name: str) -> str:
    """The hash of a name without its group, so that one item has a metric's cells of all hours of a block."""
    return hashlib.sha256(name.partition(".")[2].encode()).hexdigest()
