"""A plan adds nothing to what it does not know any more, and records that it has counted add nothing later."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from edgewise import clock
from edgewise.aggregates import knew
from edgewise.aggregates.additions import Added
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.backfill import Backfilling
from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import ZERO, Cell, Observation
from edgewise.aggregates.stored import aggregate_item
from edgewise.stream import repairs, writer
from edgewise.stream.register import Register
from edgewise.stream.repairs import Line
from edgewise.times import HOUR, SECOND
from functions.catalog import CATALOG
from functions.replay.memory import MemoryTable
from tests.support.parts import with_part

NOW = 500_000 * HOUR
AT = NOW - HOUR
ROOM = CATALOG.kinds["ROOM"]("r1")
KNOWN = Register()


@pytest.fixture(autouse=True)
def present() -> Iterator[None]:
    with patch.object(clock, "now", lambda: NOW):
        yield


def stored(**checkpoints: Checkpoint) -> Aggregate:
    return Aggregate(ROOM, 1, {"Messages": Cell(1)}, checkpoints)


def record(sequence: int, at: int) -> list[Effect]:
    return [Effect(Checkpoint(sequence, at), {"Messages": Observation()}, {})]


def apply(table: MemoryTable, plan_of: Aggregate) -> int:
    """Two messages were lacking; returns how many there are then."""
    line = Line(ROOM, {"Messages": Added(2, ZERO)}, False, knew.of_plain(ROOM, knew.plain([plan_of])))
    repairs.apply(table, KNOWN, AT, [line], lambda: True)
    return messages(table)


def messages(table: MemoryTable, of: AggregateId = ROOM) -> int:
    cells = readers.whole(table, of)[0].cells
    return cells["Messages"].count if cells else 0


@pytest.mark.parametrize(
    ("found", "count"),
    [
        ({"a": Checkpoint(5, AT)}, 3),
        ({"a": Checkpoint(6, NOW)}, 3),
        ({"a": Checkpoint(6, NOW), "b": Checkpoint(1, AT)}, 1),
        ({"a": Checkpoint(6, NOW), "b": Checkpoint(1, AT + SECOND)}, 3),
        ({"a": Checkpoint(5, AT), REPAIRS: Checkpoint(AT - 1, AT - 1)}, 1),
    ],
    ids=["as it was", "further on", "another shard", "another shard, later", "another plan"],
)
def test_a_plan_adds_to_what_it_knows(found: dict[str, Checkpoint], count: int) -> None:
    table = MemoryTable()
    table.put_many([aggregate_item(stored(**found))])
    assert apply(table, stored(a=Checkpoint(5, AT))) == count


@pytest.mark.parametrize(("together", "count"), [(1, 0), (0, 2)], ids=["linked", "alone"])
def test_what_belongs_together_is_added_together(together: int, count: int) -> None:
    """The plan does not know the room any more: another shard has brought something from before it."""
    table, user = MemoryTable(), CATALOG.kinds["USER"]("amy")
    table.put_many([aggregate_item(stored(b=Checkpoint(1, AT)))])
    room = Line(ROOM, {"Messages": Added(-2, ZERO)}, False, knew.of_plain(ROOM, knew.plain([stored()])), together)
    fed = Line(user, {"Messages": Added(2, ZERO)}, False, knew.of_plain(user, []), together)
    repairs.apply(table, KNOWN, AT, [room, fed], lambda: True)
    assert (messages(table), messages(table, user)) == (1, count)


def test_an_attempt_that_died_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has absorbed the plan is no reason to leave out the rest, although its checkpoints are others now."""
    table, user = MemoryTable(), CATALOG.kinds["USER"]("amy")
    lines = [Line(about, {"Messages": Added(2, ZERO)}, False, knew.of_plain(about, []), 1) for about in (ROOM, user)]
    writer.apply(table, REPAIRS, {ROOM: [Effect(Checkpoint(AT, AT), {"Messages": Observation(2)}, {})]})
    writer.apply(table, "a", {ROOM: record(7, AT)})
    repairs.apply(table, KNOWN, AT, lines, lambda: True)
    assert (messages(table), messages(table, user)) == (2, 2)


def test_while_a_kind_is_backfilled_no_checkpoint_must_have_moved() -> None:
    with with_part(ROOM.kind, Backfilling()):
        table = MemoryTable()
        table.put_many([aggregate_item(stored(a=Checkpoint(6, NOW)))])
        assert apply(table, stored(a=Checkpoint(5, AT))) == 1
        assert apply(table, stored(a=Checkpoint(6, NOW))) == 3
