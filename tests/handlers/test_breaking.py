"""The consumer that somebody may break: what happens to a batch, and what the log says of it."""

from collections.abc import Iterator
from typing import Any

import pytest

from delivery import KilledError
from edgewise import clock
from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.writes import Replacement
from edgewise.stream import quarantine_keys, writer
from edgewise.stream.quarantine import page
from edgewise.stream.redrive import redrive
from functions.catalog import CATALOG, FOLLOW_UPS
from functions.handlers import breakable_aggregator, edge_aggregator
from functions.replay.memory import MemoryTable
from functions.replay.table import BreakableMemory
from functions.systems.proof import store
from functions.systems.proof.entity import PATIENCE, Kind
from functions.systems.telemetry.system import DEVICE
from tests.handlers.test_consumer import readings
from tests.support.http import Context
from tests.support.streams import PRESENT, window_event


class Asked(MemoryTable):
    """In memory; remembers what was asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.statements = True
        self.asked: list[str] = []

    def get(self, key: Any) -> Any:
        self.asked.append("get")
        return super().get(key)

    def get_many(self, wanted: Any, *, consistent: bool = False) -> Any:
        self.asked.append("get_many")
        return super().get_many(wanted, consistent=consistent)


class Breakable(BreakableMemory, Asked):
    """The table whose consumer may be broken."""


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Breakable]:
    table = Breakable()
    monkeypatch.setattr(breakable_aggregator, "table", lambda: table)
    monkeypatch.setattr(writer, "WRITERS", 1)
    monkeypatch.setattr(clock, "now", lambda: PRESENT)
    edge_aggregator.teller.cache_clear()
    yield table
    edge_aggregator.teller.cache_clear()


def ask(table: Breakable, kind: Kind, shard: str = "") -> None:
    store.ask(table, kind, shard, lambda _: None)


def deliver(*devices: str, shard: str = "a", killed: bool = False) -> None:
    """One batch with a reading of each of these devices, which are written together."""
    event = window_event(shard, readings(*devices), ends=False)
    if killed:
        with pytest.raises(KilledError):
            breakable_aggregator.handler(event, Context())
    else:
        breakable_aggregator.handler(event, Context())


def new(device: str) -> Replacement:
    """The first write of a device's aggregate."""
    return Replacement(aggregate_item(Aggregate(DEVICE(device))), None)


def log(table: Breakable) -> list[str]:
    return [each.what for each in store.log(table, 50)]


def counted(table: Breakable, *devices: str) -> list[bool]:
    return [aggregate_keys.of(DEVICE(device)) in table.items for device in devices]


def test_it_is_killed_between_two_writes_and_the_batch_that_comes_again_is_counted_once(table: Breakable) -> None:
    ask(table, "kill")
    devices = [f"d{number}" for number in range(7)]
    deliver(*devices, killed=True)
    assert log(table) == ["killed after write 3 of 7 or more"]
    assert sorted(counted(table, *devices)) == [False] * 4 + [True] * 3
    deliver(*devices)
    assert counted(table, *devices) == [True] * 7
    assert log(table) == ["killed after write 3 of 7 or more"], "once"


def test_between_one_write_there_is_nothing_to_kill(table: Breakable) -> None:
    ask(table, "kill")
    deliver("d")
    assert log(table) == ["one write: nothing to kill between"]
    assert not store.asked(table).faults


def test_its_answer_is_lost(table: Breakable) -> None:
    ask(table, "lose answer")
    deliver("d", "e", killed=True)
    assert log(table) == ["killed after 2 writes, before its answer"]
    deliver("d", "e")
    assert len(log(table)) == 1


def test_one_item_can_not_be_read_and_is_applied_by_who_can(table: Breakable) -> None:
    ask(table, "poison")
    deliver("d", "e")
    (what,) = log(table)
    assert what.startswith("this release can't read EVENT DEVICE#d, record …")
    assert counted(table, "d", "e") == [False, True]
    (aside,) = page(table, 10, None)[0]
    redrive(table, FOLLOW_UPS, aside.shard, aside.sequence)
    assert counted(table, "d", "e") == [True, True]


def test_what_slows_it_makes_each_write_wait(table: Breakable, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    ask(table, "slow")
    deliver("d", "e")
    assert slept == [2.0]
    assert log(table) == ["each write waits, for 10 seconds"]
    monkeypatch.setattr(clock, "now", lambda: PRESENT + 10_000)
    deliver("f", "g")
    assert slept == [2.0]


@pytest.mark.parametrize("kind", ["kill", "lose answer", "poison"])
def test_nothing_breaks_a_batch_of_another_shard_or_a_later_one(
    table: Breakable, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(table, kind, "b")
    deliver("d", "e")
    monkeypatch.setattr(clock, "now", lambda: PRESENT + PATIENCE)
    deliver("d", "e", shard="b")
    assert log(table) == []
    assert counted(table, "d", "e") == [True, True]


def test_what_one_process_has_done_no_other_does(table: Breakable) -> None:
    """Both have seen it asked for."""
    ask(table, "kill")
    first, second = (table.at_work(CATALOG, shard, readings("d", "e")) for shard in "ab")
    for each in (first, second):
        each.get(quarantine_keys.REGISTER)
    with pytest.raises(KilledError):
        first.replace_many(list(map(new, "de")))
    second.replace_many(list(map(new, "fg")))
    assert len(log(table)) == 1


def test_where_nothing_is_asked_there_is_no_further_request(table: Breakable, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver("d", "e")
    breakable = list(table.asked)
    table.asked.clear()
    monkeypatch.setattr(edge_aggregator, "table", lambda: table)
    edge_aggregator.teller.cache_clear()
    edge_aggregator.handler(window_event("a", readings("f", "g"), ends=False), Context())
    assert breakable == ["get", "get_many", "get_many"], "of them, one brings the register and what is asked"
    assert table.asked == ["get", "get", "get_many"]
