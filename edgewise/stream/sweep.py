"""Removes emptied aggregates, and carriers of shards that are over, when nothing needs their checkpoints any more.

It also takes up recounts of extremes that met a source which nobody could read, perhaps before a fix was deployed; and
what readers have doubted for so long that nobody but people will end it.

A sweep may die, and two may run at once, without harm: each aggregate is written only at the version that was read.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from edgewise import clock
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME
from edgewise.aggregates.recounts import going_on
from edgewise.aggregates.recounts.going_on import TakenUp
from edgewise.aggregates.stored import emptied
from edgewise.clock import MayGoOn
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, integer, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import KEYS_PER_BATCH, RefusedError, Table
from edgewise.dynamodb.writes import Condition, Delete
from edgewise.stream import doubting, emptied_patterns, incomplete
from edgewise.stream.register import register


@dataclass(frozen=True)
class Swept:
    """How many items were examined, how many of them were removed, and of how many the extremes were taken up.

    Not `complete`: the time ran out; the next sweep goes on.
    """

    seen: int
    removed: int
    taken_up: int
    complete: bool

    def and_then(self, further: "Swept") -> "Swept":
        """With what was done further."""
        counts = (self.seen + further.seen, self.removed + further.removed, self.taken_up + further.taken_up)
        return Swept(*counts, further.complete)


def sweep(table: Table, catalog: Catalog, may_go_on: MayGoOn) -> Swept:
    """Take up the extremes that a release could not find, and remove the aggregates that may leave.

    In turns, so that neither waits for the other's end. Each page of up to 100 takes a query, a batch read, a read of
    the register, and one write for each removal.
    """
    doubting.give_up(table)
    done = Swept(0, 0, 0, complete=False)
    works = deque([_taking_up(table, catalog), _removing(table)])
    while works:
        if not may_go_on():
            return done
        work = works.popleft()
        if (part := next(work, None)) is not None:
            done = done.and_then(part)
            works.append(work)
    return replace(done, complete=True)


def _taking_up(table: Table, catalog: Catalog) -> Iterator[Swept]:
    """Take up one aggregate's extremes after the other; those that still can't be read come last the next time."""
    note, met = partial(incomplete.note_unread, table), set[Key]()
    for page in incomplete.unread(table, catalog):
        for about, noted in page.items():
            if key_of(noted) in met:
                continue
            met.add(key_of(noted))
            taken = going_on.take_up(table, about, note)
            if taken is TakenUp.UNREAD:
                note(about)
            else:
                incomplete.clear_unread(table, noted)
            yield Swept(0, 0, int(taken is TakenUp.READ), complete=False)
        yield Swept(0, 0, 0, complete=False)


def _removing(table: Table) -> Iterator[Swept]:
    """Remove one page after the other of those that may leave."""
    for keys in chain(_emptied(table), _carriers(table)):
        items = table.get_many(keys)
        # The register must be read after the aggregates: see Emptied.may_leave.
        quarantined = register(table).quarantined
        now = clock.now()
        leaving = [item for item in items.values() if (found := emptied(item)) and found.may_leave(now, quarantined)]
        yield Swept(len(keys), sum(_removed(table, item) for item in leaving), 0, complete=False)


def _emptied(table: Table) -> Iterator[Sequence[Key]]:
    """The keys of emptied aggregates whose newest checkpoint is old, a page at a time."""
    before = clock.now() - CHECKPOINT_LIFETIME
    for query in emptied_patterns.until(before):
        for page in pages.every(table, query.part(KEYS_PER_BATCH)):
            if page.items:
                yield [key_of(item) for item in page.items]


def _carriers(table: Table) -> Iterator[Sequence[Key]]:
    """The keys of all carriers, a page at a time."""
    for group in range(register(table).groups.most):
        for page in pages.every(table, emptied_patterns.carriers(group).part(KEYS_PER_BATCH)):
            if page.items:
                yield [key_of(item) for item in page.items]


def _removed(table: Table, item: Item) -> bool:
    key, version = key_of(item), integer(item["Version"])
    with suppress(RefusedError):  # the item has just been written, or another sweep was faster
        table.write(Delete(key, Condition.at_version(version)))
        return True
    return False
