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
from functools import partial

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.recounts.attributes import recounting
from edgewise.aggregates.recounts.declaration import followers
from edgewise.aggregates.recounts.progress import START, Progress
from edgewise.aggregates.recounts.reading import first_step, step
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.renewal import insist
from edgewise.dynamodb.table import RefusedError, Table

# How many items one step reads: that takes some seconds, far less than the function's timeout.
ITEMS = 20_000
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
    taken = TakenUp.NONE

    def begun(now: Aggregate) -> Aggregate:
        nonlocal taken
        names = now.unknown.due
        first = first_step(table, aggregate_id, names) if names else None
        taken = TakenUp.NONE if not names else TakenUp.UNREAD if first is None else TakenUp.READ
        return now.with_first_step(names, first) if names else now

    after = _changed(table, _stored(table, aggregate_id), begun)
    return after, taken


def _advanced(table: Table, aggregate_id: AggregateId, note: Note) -> Aggregate:
    """The aggregate after the next step of its recount, if it has one and it makes progress."""
    current = _changed(table, _stored(table, aggregate_id), partial(_begun, table))
    recount = current.unknown.recount
    if recount is None:
        return current
    taken = step(table, aggregate_id, recount.found.keys(), recount.position, ITEMS)
    if taken is None:
        note(aggregate_id.aggregate)

    def kept(now: Aggregate) -> Aggregate:
        """As it is if somebody else took the step, or the recount restarted."""
        under_way = now.unknown.recount
        return now.with_next_step(taken) if under_way and under_way.is_at(recount) else now

    return _changed(table, current, kept)


def _begun(table: Table, current: Aggregate) -> Aggregate:
    """The aggregate with a recount of its queued cells begun, without reading: so fewer other writes come between.

    Extremes from other aggregates take a single step. If they are unknown there, nothing changes. Those that are due
    may be known by now, if the others were repaired.
    """
    from_others = current.id.kind.comes_later
    known = current.unknown
    names = known.queued | (known.due if from_others else frozenset())
    if known.recount or not names:
        return current
    first = step(table, current.id, names) if from_others else Progress({}, START, sources={name: {} for name in names})
    return current.with_first_step(names, first)


def _stored(table: Table, aggregate_id: AggregateId) -> Aggregate:
    return aggregate(aggregate_id, table.get(keys.of(aggregate_id)))


def _changed(table: Table, known: Aggregate, decide: Callable[[Aggregate], Aggregate]) -> Aggregate:
    """The aggregate after what `decide` makes of it, with what follows from its cells; stored, if that changes it."""
    current = known

    def attempt() -> Aggregate:
        nonlocal current
        decided = decide(current)
        if decided == current:
            return current
        after = replace(decided, version=current.version + 1).derived()
        try:
            table.put_version(aggregate_item(after), replaces=current.version)
        except RefusedError as refusal:
            current = aggregate(known.id, refusal.item)
            raise
        return after

    return insist(known.id, attempt)
