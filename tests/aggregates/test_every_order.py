"""Every order in which an item's writes, its records, and a fill that reads it can come about, on the real aggregates.

An item is in a group, or in none. Records come in order the first time, and once more whenever they like, also in part,
as when a writer is killed. The fill reads the item at some moment, and puts what it has read at some later one.
"""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import product
from typing import NamedTuple

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Cell, Observation, Observations
from tests.aggregates.test_latest import ENTRY, NOW

WRITES, GROUPS = 3, (None, "a", "b")
# The group of the item before and after each write.
History = tuple[str | None, ...]
Entries = Mapping[str, Aggregate]


class World(NamedTuple):
    """How many writes there were, how many of them were delivered, what the fill has read, and the entries by group.

    `read`: the number of the write that it has seen last; -1: none yet; None: it has put it.
    """

    written: int = 0
    delivered: int = 0
    read: int | None = -1
    entries: tuple[tuple[str, Aggregate], ...] = ()
    again: int = 2

    @property
    def name(self) -> object:
        """What tells worlds apart."""
        return self[:3], self.again, [(group, repr(entry)) for group, entry in self.entries]


def _seen(history: History, write: int, group: str) -> Observations:
    """What the item counts in a group after this write."""
    return {"net": Observation(amount=Decimal(write + 1))} if history[write] == group else {}


def _delivered(history: History, entries: Entries, number: int, groups: Iterator[str] | tuple[str, ...]) -> Entries:
    found = dict(entries)
    for group in groups:
        removed, added = (_seen(history, write, group) for write in (number - 1, number))
        absorbed = found.get(group, Aggregate(ENTRY)).absorb(
            "a", [Effect(Checkpoint(number, NOW), added, removed)], NOW
        )
        found |= {group: absorbed.aggregate} if absorbed else {}
    return found


def _touched(history: History, number: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(group for group in history[number - 1 : number + 1] if group))


def put_if_absent(history: History, entries: Entries, read: int) -> Entries:
    group = history[read]
    if group is None or group in entries:
        return entries
    return {**entries, group: Aggregate(ENTRY, NOW, {"net": Cell(1, Decimal(read + 1))})}


def put_always(history: History, entries: Entries, read: int) -> Entries:
    return put_if_absent(history, {group: each for group, each in entries.items() if group != history[read]}, read)


def keep(entries: Entries) -> Entries:
    return entries


def drop_empty(entries: Entries) -> Entries:
    return {group: entry for group, entry in entries.items() if not entry.emptied}


Put = Callable[[History, Entries, int], Entries]
Kept = Callable[[Entries], Entries]


def _next(world: World, history: History, put: Put, kept: Kept) -> Iterator[World]:
    entries = dict(world.entries)

    def after(found: Entries, **more: int | None) -> World:
        return world._replace(entries=tuple(sorted(kept(found).items())), **more)  # type: ignore[arg-type]

    if world.written < WRITES:
        yield world._replace(written=world.written + 1)
    if (number := world.delivered + 1) <= world.written:
        groups = _touched(history, number)
        yield after(_delivered(history, entries, number, groups), delivered=number)
        yield after(_delivered(history, entries, number, groups[:1]))
    if world.again:
        for number in range(1, world.delivered + 1):
            yield after(_delivered(history, entries, number, _touched(history, number)), again=world.again - 1)
    if world.read == -1:
        yield world._replace(read=world.written)
    elif world.read is not None:
        yield after(put(history, entries, world.read), read=None)


def wrong(history: History, put: Put, kept: Kept) -> tuple[int, int]:
    """In how many worlds there are, and in how many all has come about and an entry is not what the item is."""
    ahead, met, failed = [World()], set[str](), 0
    should = {history[-1]: {"net": Cell(1, Decimal(WRITES + 1))}} if history[-1] else {}
    while ahead:
        world = ahead.pop()
        if str(world.name) in met:
            continue
        met.add(str(world.name))
        ahead += _next(world, history, put, kept)
        if world.written == world.delivered == WRITES and world.read is None:
            failed += {group: entry.cells for group, entry in world.entries if not entry.emptied} != should
    return len(met), failed


HISTORIES = [each for each in product(GROUPS, repeat=WRITES + 1) if any(each)]


def test_the_entries_are_what_the_item_is_in_the_end() -> None:
    found = [wrong(history, put_if_absent, keep) for history in HISTORIES]
    assert sum(failed for _, failed in found) == 0
    assert sum(worlds for worlds, _ in found) > 5_000


@pytest.mark.parametrize(("put", "kept"), [(put_always, keep), (put_if_absent, drop_empty)])
def test_a_mutant_is_caught(put: Put, kept: Kept) -> None:
    assert any(wrong(history, put, kept)[1] for history in HISTORIES)
