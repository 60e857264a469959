"""Histories of a table under hostile deliveries, and exports of it at any instant."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from random import Random

from batch.exports import Change
from batch.folders import Folder
from batch.reconcile import Around, Check, Declared, reconciled
from delivery import Simulator
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.times import SECOND, Millis
from functions.handlers import edge_aggregator
from tests.batch.exporting import exported, increment
from tests.delivery.consuming import READS_ALL, consuming, released
from tests.delivery.growing import growing
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.world import World

HAPPENINGS = (
    *[World.store] * 8,
    World.store_many,
    *[World.deliver] * 8,
    *[World.remove] * 4,
    World.rewrite,
    World.release,
    *[World.redrive] * 2,
)
Snapshot = dict[Key, Item]


@contextmanager
def world(random: Random, stored: Sequence[Item] = ()) -> Iterator[World]:
    """A table of all systems, with its consumer; in one of two worlds, the number of carriers' groups grows.

    If the table has items already, its stream goes on with higher numbers.
    """
    table, changing = SimulatedMemory(2), random.choice((nullcontext, growing))
    if stored:
        table.items |= {key_of(item): item for item in stored}
        table.stream._sequence *= 1000

    with consuming() as consume, released() as releases, changing():
        yield World(random, table, consume, releases)


def happen(random: Random, to: World, number: int) -> None:
    """Let so many things happen."""
    for _ in range(number):
        random.choice(HAPPENINGS)(to)


def come_again(random: Random, to: World) -> None:
    """All records come again, in order, as to a new mapping that begins at the oldest record."""
    again = Simulator(edge_aggregator.handler, to.table.stream, to.table.mapping, seed=random)
    hook, to.table.hook = to.table.hook, again.writes
    try:
        again.drain()
    finally:
        to.table.hook = hook


def snapshot(of: World) -> Snapshot:
    """The table as it is now."""
    return {key_of(item): item for item in of.table.all_items()}


def checked(of: World, folder: Path, at: Snapshot, before: Snapshot, after: Snapshot) -> Check:
    """Reconcile the table as it was at one instant, with the changes between one before and one after it."""
    of.releases.current = READS_ALL
    bucket = Folder(folder)
    changed = [key for key in before | after if before.get(key) != after.get(key)]
    changes = [Change(before.get(key), after.get(key), 1) for key in changed]
    around = Around(increment(bucket, changes), 0, 1)
    return reconciled(Declared(), exported(bucket, at.values()), around, lambda _: None)


def pass_by(of: World) -> Millis:
    """The present instant, which then passes."""
    instant = int(of.table.stream.clock.now) * SECOND
    of.table.stream.clock.advance(1)
    return instant


def checked_with_drift(
    random: Random, of: World, drift: Callable[[], None], meanwhile: tuple[int, int], folder: Path
) -> tuple[Check, Millis]:
    """Reconcile a table after some history and drift, while so many other things happen; and the instant of that."""
    happen(random, of, random.randint(10, 60))
    of.settle()
    drift()
    now, instant = snapshot(of), pass_by(of)
    happen(random, of, random.randint(*meanwhile))
    of.drain()
    return checked(of, folder, now, now, snapshot(of)), instant


def settled(of: World, folder: Path) -> tuple[Check, Millis]:
    """Reconcile the table when everything has been delivered and nothing changes; and the instant of that."""
    of.settle()
    now = snapshot(of)
    return checked(of, folder, now, now, now), pass_by(of)
