"""Many shards that write one hub, in simulated time: the writer itself, and a table whose requests take a while."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import inf
from random import Random
from unittest.mock import patch

import pytest

from edgewise import clock, surroundings
from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Observation
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import RefusedError, singly
from edgewise.dynamodb.writes import Replacement, Reply, Write
from edgewise.stream import writer
from edgewise.stream.writer import UnfinishedError
from functions.replay.memory import MemoryTable, target
from functions.systems.chat.system import USER
from tests.support.simulated_time import SimulatedPool, SimulatedTime
from tests.support.streams import PRESENT

HUB = USER("hub")
ROUND_TRIP = 0.005  # seconds, on the average


class DistantTable(MemoryTable):
    """Every request takes a round trip, and happens in the midst of it."""

    def __init__(self, time: SimulatedTime, random: Random) -> None:
        super().__init__()
        self.time, self.random = time, random
        self.refused = 0

    def get(self, key: Key) -> Item | None:
        with self._trip():
            return super().get(key)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        with self._trip():
            return super().get_many(wanted, consistent=consistent)

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        """One request for all, as statements are."""
        with self._trip():
            found = singly(lambda each: MemoryTable.write(self, each.put()), replacements)
        self.refused += found.count(Reply.REFUSED)
        return found

    def write(self, write: Write) -> None:
        with self._trip():
            try:
                super().write(write)
            except RefusedError:
                self.refused += 1
                raise

    @contextmanager
    def _trip(self) -> Iterator[None]:
        self._half()
        try:
            yield
        finally:
            self._half()

    def _half(self) -> None:
        self.time.sleep(ROUND_TRIP * self.random.uniform(0.25, 0.75))


@dataclass(frozen=True)
class Load:
    """What each of the shards does: so many batches, one after the other, each with the hub and so many others."""

    shards: int
    batches: int
    others: int

    def run(self, seed: int) -> tuple[DistantTable, float]:
        """The table afterwards, and how long it took."""
        time, random = SimulatedTime(), Random(seed)
        table = DistantTable(time, random)
        with (
            patch.object(surroundings, "threads", lambda _: SimulatedPool(time)),
            patch("time.sleep", time.sleep),
            patch.object(clock, "monotonic", lambda: time.now),
            patch("random.uniform", random.uniform),
        ):
            time.run(*(partial(self._shard, table, f"{shard:04}") for shard in range(self.shards)))
        return table, time.now

    def _shard(self, table: DistantTable, shard: str) -> None:
        mine = [USER(f"{shard}-{other}") for other in range(self.others)]
        for number in range(self.batches):
            effect = Effect(Checkpoint(number + 1, PRESENT + number), {"Messages": Observation()}, {})
            writer.apply(table, shard, {each: [effect] for each in [HUB, *mine]})

    def refused(self, table: DistantTable) -> float:
        """How many writes were refused for each one of the hub that succeeded, and each batch needs one."""
        batches = self.shards * self.batches
        assert aggregate(HUB, table.items[keys.of(HUB)]).cells["Messages"].count == batches
        return table.refused / batches


@pytest.mark.parametrize("others", [0, 40])
def test_of_32_shards_fewer_writes_are_refused_than_succeed(others: int) -> None:
    load = Load(32, batches=8, others=others)
    table, _ = load.run(seed=1)
    assert load.refused(table) < 1


def test_four_shards_that_do_other_work_too_are_refused_one_write_in_a_hundred_at_most() -> None:
    load = Load(4, batches=10, others=100)
    table, _ = load.run(seed=1)
    assert load.refused(table) < (1 + load.others) / 100


def test_a_shard_alone_never_waits() -> None:
    table, seconds = Load(1, batches=10, others=0).run(seed=1)
    assert table.refused == 0
    assert seconds < 10 * 2 * 1.5 * ROUND_TRIP, "more than a read and a put for each batch"


class Busy(MemoryTable):
    """Others write the hub between so many reads of it and their puts. Every request takes half a millisecond."""

    def __init__(self, times: float) -> None:
        super().__init__()
        self.times, self.trace, self.now = times, list[str](), 0.0

    def get(self, key: Key) -> Item | None:
        self._take("read")
        return super().get(key)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        self._take("read many")
        return super().get_many(wanted, consistent=consistent)

    def write(self, write: Write) -> None:
        hub = target(write) == keys.of(HUB)
        self._take("hub" if hub else "other")
        if hub and self.times:
            self.times -= 1
            raise RefusedError(None)
        super().write(write)

    def _take(self, request: str) -> None:
        self.trace.append(request)
        self.now += 0.5 * MILLISECOND

    @contextmanager
    def alone(self) -> Iterator[list[float]]:
        """One writer on this table's clock; gives the pauses that it makes, each as long as it may be."""
        pauses: list[float] = []
        with (
            patch.object(writer, "WRITERS", 1),
            patch.object(clock, "monotonic", lambda: self.now),
            patch("time.sleep", pauses.append),
            patch("random.uniform", lambda _, longest: longest),
        ):
            yield pauses


MILLISECOND = 0.001
ENTRY = [Effect(Checkpoint(1, PRESENT), {"Messages": Observation()}, {})]
OTHERS = [USER(f"{other}") for other in range(500)]
BATCH = {each: ENTRY for each in (HUB, *OTHERS)}


def test_what_was_refused_comes_behind_all_else_and_is_read_again_right_before_its_put() -> None:
    table = Busy(times=6)
    with table.alone():
        written = writer.apply(table, "shard", BATCH)
    assert (written.written, written.conflicts) == (len(BATCH), 6)
    assert table.trace[-12:] == ["read", "hub"] * 6
    assert table.trace[:-12].count("other") == len(OTHERS)


def test_pauses_grow_with_the_refusals_as_multiples_of_the_time_of_a_try() -> None:
    table = Busy(times=9)
    with table.alone() as pauses:
        writer.apply(table, "shard", {HUB: ENTRY})
    tries = [10, 30, 90, 270, 810, 2430, 7290, 10_000, 10_000]
    assert pauses == pytest.approx([MILLISECOND * (longest - 1) for longest in tries])


def test_other_work_after_the_refusal_is_a_pause_too() -> None:
    table = Busy(times=1)
    with table.alone() as pauses:
        writer.apply(table, "shard", BATCH)
    assert pauses == [0]


def test_who_is_refused_for_ever_ends_with_its_time() -> None:
    looks, table = iter(range(len(BATCH) + 100)), Busy(inf)
    with table.alone() as pauses, pytest.raises(UnfinishedError) as raised:
        writer.apply(table, "shard", BATCH, may_go_on=lambda: next(looks, None) is not None)
    assert (raised.value.done, raised.value.left) == (len(OTHERS), 1)
    assert len(pauses) > 50
