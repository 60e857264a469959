"""The stream consumer on a table of the test's own, by whatever release is running."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any
from unittest.mock import patch

from delivery import Handler, Reads
from edgewise import clock, surroundings
from edgewise.aggregates.continuations import declaration as continuations
from edgewise.aggregates.rankings import floor, refilling
from edgewise.aggregates.recounts import candidates, going_on, reading
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.table import Table
from edgewise.freshness.telling import Teller
from edgewise.stream import windows
from edgewise.times import SECOND, Millis
from functions.catalog import CATALOG
from functions.handlers import cascade, edge_aggregator
from functions.settings import NO_BATCH, NO_OUTLET, NO_PUSH, NO_SEARCH, NO_TOPIC, CascadeSettings, ConsumerSettings
from tests.delivery.simulated import SimulatedTable
from tests.delivery.terse import terse
from tests.support.streams import PRESENT

# For two names of a rollup. A release may have one of these rooms.
LITTLE_ROOM = 550
ROOMS = (LITTLE_ROOM, 2 * LITTLE_ROOM, continuations.ROOM)
Consume = Callable[[Table], Handler]
# Far less than a window takes here.
PATIENCE: Millis = 3 * SECOND
# The bounds of rankings: so small that a few nodes are too many, or too few. And those of a step of a refill.
RANKINGS: Mapping[str, Any] = {"LEAST": 4, "KEPT": 6, "MOST": 8}
REFILLS: Mapping[str, Any] = {"PAGES": 2, "MEMBERS": 2, "_PARTS_A_PAGE": 1}


@contextmanager
def in_steps_of(items: int) -> Iterator[None]:
    """Recounts read no more than so many items at a time, and find few candidates: these are soon used up."""
    with (
        patch.object(reading, "ITEMS", items),
        patch.object(going_on, "ITEMS", items),
        patch.object(candidates, "MOST", 2),
    ):
        yield


@contextmanager
def consuming() -> Iterator[Consume]:
    """Gives, for a table, the consumer that works on it."""
    now: list[Table] = []
    tellers: list[Teller] = []

    def on(table: Table) -> Handler:
        now[:], tellers[:] = [table], [Teller(), Teller()]
        handler: Handler = edge_aggregator.handler
        return handler

    in_turn = surroundings.in_turn(
        lambda: _time_of(now[0]),
        lambda _: None,  # pauses between rounds
        Random(0),
        lambda: _reads_of(now[0]),
    )
    with (
        surroundings.replaced(in_turn),
        patch.multiple(floor, **RANKINGS),
        patch.multiple(refilling, **REFILLS),
        patch.object(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "puts", NO_BATCH)),
        patch.object(edge_aggregator, "table", lambda: now[0]),
        # Where nobody sends heartbeats, a history has no writes that only tell how far a shard has come.
        patch.object(Teller, "is_due", lambda *_: False),
        # Of two environments by turns.
        patch.object(edge_aggregator, "teller", lambda: tellers[clock.now() // SECOND % 2]),
        patch.object(windows, "PATIENCE", PATIENCE),
        patch.object(
            cascade,
            "settings",
            lambda: CascadeSettings("Memory", NO_PUSH, NO_TOPIC, NO_SEARCH, NO_OUTLET, NO_OUTLET, "puts"),
        ),
        patch.object(cascade, "table", lambda: now[0]),
        terse(),
    ):
        yield on


def _reads_of(table: Table) -> Reads:
    return table.reads if isinstance(table, SimulatedTable) else Reads()


def _time_of(table: Table) -> Millis:
    return int(table.stream.clock.now * SECOND) if isinstance(table, SimulatedTable) else PRESENT


@dataclass(frozen=True)
class Release:
    """One that can't read these kinds of items; if `some`, every second of them only.

    `room` is what it gives the cells of an item: so little that some of them go on in continuations.
    """

    unreadable: frozenset[str] = frozenset()
    some: bool = False
    room: int = LITTLE_ROOM

    def reads(self, kind: str, item: Item) -> bool:
        chosen = hashlib.sha256(f"{key_of(item)}".encode()).digest()[0] % 2 == 0
        return kind not in self.unreadable or (self.some and not chosen)


READS_ALL = Release()


class Releases:
    """What the consumer reads items with: a dictionary of decoders, like the real one."""

    def __init__(self, decoders: Mapping[str, Callable[[Item], Any]]) -> None:
        self._decoders = decoders
        self.current = READS_ALL

    @property
    def current(self) -> Release:
        """The release that is running."""
        return self._current

    @current.setter
    def current(self, release: Release) -> None:
        self._current = release
        continuations.ROOM = release.room

    def __contains__(self, kind: object) -> bool:
        return kind in self._decoders

    def __getitem__(self, kind: str) -> Callable[[Item], Any]:
        return self._decode_if_readable if kind in self.current.unreadable else self._decoders[kind]

    def _decode_if_readable(self, item: Item) -> Any:
        kind = item["Type"]["S"]
        if not self.current.reads(kind, item):
            raise KeyError(kind)
        return self._decoders[kind](item)


@contextmanager
def released() -> Iterator[Releases]:
    """Lets the running release be changed."""
    with patch.object(continuations, "ROOM", LITTLE_ROOM):
        releases = Releases(CATALOG.decoders)
        with patch.object(CATALOG, "decoders", releases):
            yield releases
