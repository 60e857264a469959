"""Which emptied aggregates leave the table, and when."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME, LATEST_DELIVERY, Checkpoint
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.recounts import going_on
from edgewise.aggregates.recounts.going_on import TakenUp
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Delete, Write
from edgewise.stream import incomplete, sweep
from edgewise.stream.quarantine import Entry, quarantine, release
from edgewise.times import HOUR, SECOND
from functions.catalog import CATALOG
from functions.handlers import sweeper
from functions.replay.memory import MemoryTable
from functions.systems.chat.system import POSTED_IN
from functions.systems.orders.system import CUSTOMER
from tests.support.http import Context
from tests.support.streams import PRESENT, Recording

EDGE = POSTED_IN("amy", "seattle")
OLD, SHARD, SEQUENCE = PRESENT - CHECKPOINT_LIFETIME - SECOND, "0001-a", "7"


def store(table: Table, about: AggregateId = EDGE, at: int = OLD, cells: Any = None, lacks: str = "") -> None:
    checkpoints = {SHARD: Checkpoint(1, OLD - SECOND), "0002-b": Checkpoint(2, at)}
    table.put_version(aggregate_item(Aggregate(about, 5, cells or {}, checkpoints, lacks=lacks)), replaces=0)


def is_there(table: Table, about: AggregateId = EDGE) -> bool:
    return table.get(keys.of(about)) is not None


def swept(table: Table) -> tuple[int, int]:
    found = sweep.sweep(table, CATALOG, lambda: True)
    assert found.complete
    return found.seen, found.removed


def record() -> dict[str, Any]:
    """Of yesterday, so that its shard is quarantined in time."""
    at = (PRESENT - LATEST_DELIVERY + HOUR) // 1000
    return {"dynamodb": {"SequenceNumber": SEQUENCE, "ApproximateCreationDateTime": at}}


def test_one_whose_checkpoints_are_old_leaves(engine: Recording) -> None:
    store(engine)
    assert swept(engine) == (1, 1)
    assert not is_there(engine)


@pytest.mark.parametrize("age", [0, LATEST_DELIVERY, CHECKPOINT_LIFETIME])
def test_one_with_a_checkpoint_that_may_be_asked_stays(engine: Recording, age: int) -> None:
    store(engine, at=PRESENT - age)
    assert swept(engine)[1] == 0
    assert is_there(engine)


def test_one_stays_while_a_record_of_its_shards_is_in_quarantine(engine: Recording) -> None:
    """However old its checkpoints are: a redrive asks them."""
    store(engine)
    quarantine(engine, SHARD, Entry(record(), "KeyError"))
    assert swept(engine) == (1, 0)
    release(engine, SHARD, SEQUENCE.zfill(40), None)
    assert swept(engine) == (1, 1)


def test_one_that_counts_something_is_not_even_looked_at(engine: Recording) -> None:
    store(engine, cells={"Count": Cell(1)})
    assert swept(engine) == (0, 0)


def test_one_that_lacks_something_stays_and_says_so(engine: Recording) -> None:
    store(engine, lacks="an entry could not be counted")
    assert swept(engine) == (1, 0)


def test_more_than_one_page_of_them(engine: Recording) -> None:
    for number in range(230):
        store(engine, POSTED_IN(f"{number}", "seattle"))
    assert swept(engine) == (230, 230)
    assert swept(engine) == (0, 0)


class Refilled(MemoryTable):
    """Between the sweep's look at an aggregate and its removal, the aggregate is written."""

    def write(self, write: Write) -> None:
        if isinstance(write, Delete):
            item: Item = aggregate_item(Aggregate(EDGE, 6, {"Count": Cell(1)}, {SHARD: Checkpoint(9, PRESENT)}))
            super().put_many([item])
        super().write(write)


def test_one_that_is_written_meanwhile_stays() -> None:
    table = Refilled()
    store(table)
    assert swept(table) == (1, 0)
    assert is_there(table)


def test_out_of_time_it_leaves_the_rest_to_the_next_call() -> None:
    table = MemoryTable()
    store(table)
    assert sweep.sweep(table, CATALOG, lambda: False) == sweep.Swept(0, 0, 0, complete=False)


def test_as_lambda_calls_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = MemoryTable()
    store(table)
    monkeypatch.setattr(sweeper, "table", lambda: table)
    sweeper.handler({"source": "aws.events"}, Context())
    assert not is_there(table)


def steps(number: int) -> Callable[[], bool]:
    """There is time for so many."""
    left = iter(range(number))
    return lambda: next(left, None) is not None


def unread(taken: list[AggregateId]) -> Callable[..., TakenUp]:
    """Finds a source that can't be read, of each."""

    def take_up(_table: Table, about: AggregateId, _note: object) -> TakenUp:
        taken.append(about)
        return TakenUp.UNREAD

    return take_up


def test_neither_removing_nor_taking_up_waits_for_the_others_end() -> None:
    """However many aggregates have a source that can't be read, or must stay."""
    table = MemoryTable()
    for number in range(250):
        store(table, POSTED_IN(f"{number}", "seattle"))
        incomplete.note_unread(table, CUSTOMER(f"{number}"))
    taken = list[AggregateId]()
    with patch.object(going_on, "take_up", unread(taken)):
        found = sweep.sweep(table, CATALOG, steps(20))
    assert not found.complete
    assert found.removed == 250
    assert len(taken) > 10


def test_each_that_can_not_be_read_gets_its_turn() -> None:
    table, taken = MemoryTable(), list[AggregateId]()
    for number in range(250):
        incomplete.note_unread(table, CUSTOMER(f"{number}"))
    with patch.object(going_on, "take_up", unread(taken)):
        for sweeps in range(1, 60):
            with patch.object(clock, "now", lambda at=PRESENT + sweeps * HOUR: at):
                sweep.sweep(table, CATALOG, steps(10))
            if len(set(taken)) == 250:
                return
    raise AssertionError(f"only {len(set(taken))} of 250 got a turn")
