"""What the actors run: the consumer on a batch, a redrive, a repair."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from delivery.context import Context
from edgewise import clock
from edgewise.aggregates import packed_checkpoints
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Shared
from edgewise.aggregates.rankings import floor
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.errors import NotFoundError
from edgewise.observability import logger
from edgewise.stream import redrive, sweep, verification
from edgewise.stream.verification import RepairRefusedError
from edgewise.times import HOUR
from functions.catalog import CATALOG, FOLLOW_UPS
from functions.handlers import cascade
from tests.delivery.consuming import Consume, consuming
from tests.delivery.interleavings.asking import AskingTable
from tests.delivery.interleavings.records import CASCADE, EPOCH
from tests.delivery.interleavings.scenario import Scenario
from tests.support.parts import without
from tests.support.streams import window_event

# Requests that no table answers: a repair's pause, which is over when earlier changes are through the stream.
PAUSE = "pause"


class Delivery(NamedTuple):
    """One invocation of the consumer on records, by number; `unreadable` is a source that its release can't read."""

    shard: str
    records: tuple[int, ...]
    unreadable: Key | None = None


class FollowUp(NamedTuple):
    """One invocation of the cascade."""

    records: tuple[int, ...]


class Redrive(NamedTuple):
    """Somebody applies a record in quarantine."""

    shard: str
    sequence: str


class Repair(NamedTuple):
    """Somebody has an aggregate repaired."""

    of: AggregateId


class Sweep(NamedTuple):
    """The schedule has emptied aggregates swept."""


Program = Delivery | FollowUp | Redrive | Repair | Sweep
# How a program may end that did nothing, because others did it or stood in its way.
_IDLE = {Redrive: NotFoundError, Repair: RepairRefusedError}
FormOf = Callable[[int], Any]


@dataclass(frozen=True)
class Runner:
    """Runs programs. `form` gives a record as Lambda hands it to a function.

    Not `windowed`: events have no window, so no shard says how far it has come.
    """

    consume: Consume
    form: FormOf
    windowed: bool

    def run(self, program: Program, hour: int, table: AskingTable) -> None:
        """Run a program in some hour to its end; raises whatever ends it before."""
        now = EPOCH + hour * HOUR
        with patch.object(clock, "now", lambda: now):
            self._run(program, table)

    def _run(self, program: Program, table: AskingTable) -> None:
        match program:
            case Delivery(shard, records, unreadable):
                with _release(unreadable):
                    self.consume(table)(self._event(shard, records), Context())
            case FollowUp(records):
                self.consume(table)  # from now on the functions' table is this one
                cascade.handler(self._event(CASCADE, records), Context())
            case Redrive(shard, sequence):
                redrive.redrive(table, FOLLOW_UPS, shard, sequence)
            case Sweep():
                sweep.sweep(table, CATALOG, lambda: True)
            case Repair(of):
                verification.repair(table, of, lambda: table.ask(PAUSE), lambda: True)

    def _event(self, shard: str, records: tuple[int, ...]) -> dict[str, Any]:
        event = window_event(shard, [self.form(each) for each in records])
        return event if self.windowed else {name: each for name, each in event.items() if name != "window"}

    def may_end(self, program: Program, error: Exception) -> bool:
        """Whether a program may end so."""
        return isinstance(error, _IDLE.get(type(program), ()))


@contextmanager
def running(scenario: Scenario) -> Iterator[Consume]:
    """Programs run without threads, and shards stand in checkpoints in one order, so that equal tables look equal."""
    pack = packed_checkpoints.pack
    with ExitStack() as stack:
        consume = stack.enter_context(consuming())
        for name, bound in scenario.bounds.items():
            stack.enter_context(patch.object(floor, name, bound))
        for kind in CATALOG.kinds.values():
            if not scenario.carried:
                stack.enter_context(without(kind, Shared))
        stack.enter_context(
            patch.object(packed_checkpoints, "pack", lambda by_shard: pack(dict(sorted(by_shard.items()))))
        )
        stack.enter_context(_silent())
        yield consume


@contextmanager
def _silent() -> Iterator[None]:
    """What is logged and measured thousands of times tells nobody anything."""
    level = logger.log_level
    logger.setLevel("CRITICAL")
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
            yield
    finally:
        logger.setLevel(level)


@contextmanager
def _release(unreadable: Key | None) -> Iterator[None]:
    """A release runs that can't read one source."""

    def reading(decode: Callable[[Item], Any]) -> Callable[[Item], Any]:
        def read(item: Item) -> Any:
            if key_of(item) == unreadable:
                raise KeyError(unreadable)
            return decode(item)

        return read

    with patch.object(CATALOG, "decoders", {kind: reading(decode) for kind, decode in CATALOG.decoders.items()}):
        yield
