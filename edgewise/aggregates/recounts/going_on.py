"""Recounts of extremes that go on after the write that began them, in steps that are stored on the aggregate's item.

A writer that leaves a recount unfinished has written an item that says so (`Recounting`). That change is in the
stream, and the stream's second reader, the cascade, takes the next step. A step that makes progress writes the item, so
it causes another step; a step without progress writes nothing, so the chain ends.

The result of a step may be stored on any later version of the item while the recount is still the same: it only has
to have been read after the recount began, and all removals since then must be known.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum, auto

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.recounts.attributes import recounting
from edgewise.aggregates.recounts.declaration import followers
from edgewise.aggregates.recounts.progress import START, Progress, Recount
from edgewise.aggregates.recounts.reading import first_step, step
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.errors import PassingError

# How many items one step reads: that takes some seconds, far less than the function's timeout.
ITEMS = 20_000
# How many times to try to store a step on an item that others keep changing.
ATTEMPTS = 50


class OvertakenError(PassingError):
    """An aggregate kept changing while a step of its recount was to be stored; the batch is delivered again."""

    def __init__(self, aggregate_id: AggregateId) -> None:
        super().__init__(f"{aggregate_id} changed {ATTEMPTS} times while a step of its recount was to be stored")


# Notes that the extremes of an aggregate are unknown because a source of it can't be read. It is called before that is
# written: who writes it may die, and nobody would try again to read the source.
Note = Callable[[AggregateId], None]


def unfinished(catalog: Catalog, item: Item) -> AggregateId:
    """The aggregate whose recount must go on, as its item says; raises KeyError, TypeError or ValueError."""
    return catalog.stored_as(item, recounting(item))


def go_on(table: Table, aggregate_ids: Iterable[AggregateId], note: Note) -> None:
    """Take the next step of each aggregate's recount; after the last step, also of the recounts that wait for it."""
    for aggregate_id in dict.fromkeys(aggregate_ids):
        if not _advanced(table, aggregate_id, note).unknown.recounting:
            go_on_after(table, aggregate_id, note)


class TakenUp(Enum):
    """What came of a recount of extremes that are unknown until the next change. NONE: there are no such extremes."""

    NONE = auto()
    READ = auto()
    UNREAD = auto()


def take_up(table: Table, about: AggregateId, note: Note) -> TakenUp:
    """Recount the extremes of an aggregate that are unknown until its next change. Without a source they stay so."""
    outcome, recounting = TakenUp.NONE, False
    for item in readers.whole(table, about):
        after, taken = _taken_up(table, item.id)
        recounting |= after.unknown.recounting
        outcome = max(outcome, taken, key=lambda each: each.value)
    if not recounting:
        go_on_after(table, about, note)
    return outcome


def go_on_after(table: Table, aggregate_id: AggregateId, note: Note) -> None:
    """Take the next step of the recounts that may be waiting for this aggregate."""
    for follower in followers(aggregate_id):
        for item in readers.whole(table, follower):
            _advanced(table, item.id, note)


def _taken_up(table: Table, aggregate_id: AggregateId) -> tuple[Aggregate, TakenUp]:
    """The item of an aggregate after the first step of a recount of what is due, if it has such cells."""
    current = aggregate(aggregate_id, table.get(keys.of(aggregate_id)))
    for _ in range(ATTEMPTS):
        names = current.unknown.due
        if not names:
            return current, TakenUp.NONE
        first = first_step(table, aggregate_id, names)
        after, taken = current.with_first_step(names, first), TakenUp.UNREAD if first is None else TakenUp.READ
        if after == current:
            return current, taken
        try:
            return _put(table, current, after), taken
        except RefusedError as refusal:
            current = aggregate(aggregate_id, refusal.item)
    raise OvertakenError(aggregate_id)


def _advanced(table: Table, aggregate_id: AggregateId, note: Note) -> Aggregate:
    """The aggregate after the next step of its recount, if it has one and it makes progress."""
    current = aggregate(aggregate_id, table.get(keys.of(aggregate_id)))
    for _ in range(ATTEMPTS):
        if (recount := current.unknown.recount) is not None:
            taken = step(table, aggregate_id, recount.found.keys(), recount.position, ITEMS)
            if taken is None:
                note(aggregate_id.aggregate)
            return _kept(table, current, recount, taken)
        begun = _begun(table, current)
        if begun == current:
            return current
        try:
            current = _put(table, current, begun)
        except RefusedError as refusal:
            current = aggregate(aggregate_id, refusal.item)
    raise OvertakenError(aggregate_id)


def _begun(table: Table, current: Aggregate) -> Aggregate:
    """The aggregate with the recount of its queued cells begun, without reading: so fewer other writes come between.

    Extremes from other aggregates take a single step. If they are unknown there, nothing changes. Those that are due
    may be known by now, if the others were repaired.
    """
    from_others = current.id.kind.comes_later
    known = current.unknown
    names = known.queued | (known.due if from_others else frozenset())
    if not names:
        return current
    first = step(table, current.id, names) if from_others else Progress({}, START, sources={name: {} for name in names})
    return current.with_first_step(names, first)


def _kept(table: Table, current: Aggregate, recount: Recount, taken: Progress | None) -> Aggregate:
    """The aggregate with the step stored; or as it is, if somebody else took the step, or the recount restarted."""
    for _ in range(ATTEMPTS):
        under_way = current.unknown.recount
        if under_way is None or not under_way.is_at(recount):
            return current
        try:
            return _put(table, current, current.with_next_step(taken))
        except RefusedError as refusal:
            current = aggregate(current.id, refusal.item)
    raise OvertakenError(current.id)


def _put(table: Table, current: Aggregate, after: Aggregate) -> Aggregate:
    """Write the aggregate's next version, with what follows from its cells; raises RefusedError."""
    after = replace(after, version=current.version + 1).derived()
    table.put_version(aggregate_item(after), replaces=current.version)
    return after
