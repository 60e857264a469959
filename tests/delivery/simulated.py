"""Tables whose changes the delivery simulator delivers to the consumer, and whose writes it disturbs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import TypeVar

import delivery
from delivery import HOSTILE, Handler, Reads, Simulator, Stream, WriteHook
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import singly
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.dynamodb.writes import Action, Replacement, Reply, Write
from functions.replay.run import SETTINGS
from tests.support.streams import Recording, StreamedMemory, StreamedTable

T = TypeVar("T")
# Smaller batches, which wait for nothing.
MAPPING = replace(SETTINGS, batch_size=12, batching_window=0)


class Undisturbed:
    """The hook of a table that nobody delivers yet."""

    def before(self) -> None:
        """Let the write be made."""

    def after(self) -> bool:
        """Let it be answered."""
        return False


@contextmanager
def _refused_as_the_table_does() -> Iterator[None]:
    """What the simulator says of a table without capacity, in the words of the store."""
    try:
        yield
    except delivery.ThrottledError as error:
        raise ThrottledError(()) from error


def through(hook: WriteHook, write: Callable[[], T]) -> T:
    """Make a write as often as the hook wants it, with the answer to the last."""
    with _refused_as_the_table_does():
        return delivery.through(hook, write)


class SimulatedTable(Recording):
    """A table whose changes go to a stream of the simulator's, which delivers it with these settings and faults."""

    mapping = MAPPING
    faults = HOSTILE
    stream: Stream
    reads: Reads
    hook: WriteHook = Undisturbed()

    def meanwhile(self) -> None:
        """What happens before a write, after whatever was read for it."""

    def start_recording(self, shards: int) -> None:
        super().start_recording(shards)
        self.stream = Stream(shards=shards)
        self.reads = Reads(self.stream, page=10)

    def delivered_to(self, consumer: Handler, random: Random) -> Simulator:
        """The simulator that delivers this table's stream."""
        simulator = Simulator(consumer, self.stream, self.mapping, self.faults, seed=random)
        self.hook = simulator.writes
        return simulator

    def write(self, write: Write) -> None:
        self.meanwhile()
        through(self.hook, lambda: super(SimulatedTable, self).write(write))

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        """As statements, one after the other, each with its own fate; or as puts."""
        if not self.statements:
            return super().replace_many(replacements)
        return [self._statement(each) for each in replacements]

    def _statement(self, replacement: Replacement) -> Reply:
        try:
            (reply,) = singly(self.replace, [replacement])
        except ThrottledError:
            return Reply.UNCLEAR
        return reply

    def put_many(self, items: Sequence[Item]) -> None:
        self.meanwhile()
        through(self.hook, lambda: super(SimulatedTable, self).put_many(items))

    def transact(self, actions: Sequence[Action]) -> None:
        """Never made twice: the SDK's token makes DynamoDB give the first answer again."""
        self.meanwhile()
        with _refused_as_the_table_does():
            self.hook.before()
        super().transact(actions)
        self.hook.after()

    def _record(self, old: Item | None, new: Item | None, expired: bool = False) -> None:
        self.stream.record(old, new, expired=expired)


class SimulatedMemory(SimulatedTable, StreamedMemory):
    """In memory, for thousands of deliveries."""


class SimulatedEngine(SimulatedTable, StreamedTable):
    """On an engine, which takes the statements themselves: a request of many is disturbed as a whole."""

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        if not self.statements or len(replacements) == 1:
            return StreamedTable.replace_many(self, replacements)
        self.meanwhile()
        try:
            return through(self.hook, lambda: StreamedTable.replace_many(self, replacements))
        except ThrottledError:
            return [Reply.UNCLEAR] * len(replacements)
