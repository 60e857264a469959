"""Continuations: where the cells of an aggregate are that don't fit into its item.

An item takes new names while they fit. Then it is full: the names in it are fixed, and every other one belongs to one
of sixteen continuations, which a hash of the name chooses. A full continuation goes on in sixteen of its own, so there
is no limit to the names, and each is found after a few steps. Each item has checkpoints of its own.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from functions.aggregates.aggregate import Aggregate
from functions.aggregates.effects import Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell, Observations

_DIGITS = "0123456789abcdef"


def continuation(of: AggregateId, name: str) -> AggregateId:
    """The next item that may have the cell of this name, if this one is full and doesn't have it."""
    return of._replace(path=of.path + _hash(name)[len(of.path)])


def continuations(of: AggregateId) -> list[AggregateId]:
    """All items in which this one goes on when it is full."""
    return [of._replace(path=of.path + digit) for digit in _DIGITS]


def left_over(item: Aggregate, effects: Sequence[Effect]) -> dict[AggregateId, list[Effect]]:
    """What the effects say of names that a full item doesn't have, by the continuation that they belong to.

    All effects count, also those that the item's checkpoints cover: its continuations may not have them yet. What an
    item absorbed before it was full is not among it, because an item keeps every name that it has absorbed.
    """
    if not item.full:
        return {}
    rest: dict[AggregateId, list[Effect]] = {}
    for effect in effects:
        for place, added, removed in _divided(item, effect):
            rest.setdefault(place, []).append(Effect(effect.checkpoint, added, removed))
    return rest


def merged(items: Sequence[Aggregate]) -> Aggregate:
    """The first of the items with the cells of all of them, as if they were one; it lacks what any of them lacks."""
    cells = {name: cell for item in items for name, cell in item.cells.items()}
    unknown = frozenset[str]().union(*(item.unknown for item in items))
    lacks = next((item.lacks for item in items if item.lacks), "")
    return replace(items[0], cells=cells, due=unknown, queued=frozenset(), recount=None, lacks=lacks)


def put_right(items: Sequence[Aggregate], cells: Mapping[str, Cell], lacks: str = "") -> list[Aggregate]:
    """An aggregate and its continuations as they must be to have these cells and no others that stand for anything.

    Each cell stays in the item that has its name; versions and checkpoints stay. `lacks` says what the cells lack.
    """
    stored = {item.id: item for item in items}
    return [replace(item, lacks=lacks) for item in _put_right(stored, items[0].id, cells)]


def _put_right(
    stored: Mapping[AggregateId, Aggregate], about: AggregateId, cells: Mapping[str, Cell]
) -> Iterator[Aggregate]:
    item = stored.get(about, Aggregate(about, unbounded=True))
    new, full = item.admitted(cells)
    own = {name: cells.get(name, Cell()) for name in [*item.cells, *new]}
    kept = own if item.unbounded else {name: cell for name, cell in own.items() if cell.counts}
    known = replace(item, due=frozenset(), queued=frozenset(), recount=None)
    yield replace(known, cells=kept, full=full)
    rest = grouped(about, cells.keys() - own.keys())
    for place in continuations(about):
        if place in rest or place in stored:
            yield from _put_right(stored, place, {name: cells[name] for name in rest.get(place, ())})


def _divided(item: Aggregate, effect: Effect) -> Iterator[tuple[AggregateId, Observations, Observations]]:
    names = [name for name in {**effect.added, **effect.removed} if name not in item.cells]
    for place, own in grouped(item.id, names).items():
        yield place, _only(own, effect.added), _only(own, effect.removed)


def grouped(of: AggregateId, names: Iterable[str]) -> dict[AggregateId, list[str]]:
    """The names by the continuation of a full item that they belong to."""
    places: dict[AggregateId, list[str]] = {}
    for name in names:
        places.setdefault(continuation(of, name), []).append(name)
    return places


def _only(names: Sequence[str], seen: Observations) -> Observations:
    return {name: seen[name] for name in names if name in seen}


def _hash(name: str) -> str:
    """Of a name without its group: a metric's cells of all hours of a block are found together."""
    return hashlib.sha256(name.partition(".")[2].encode()).hexdigest()
