"""Carriers in the table: which are put, in which order, and how far a shard has been taken on."""

from collections.abc import Sequence
from typing import Any

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import TOO_LATE
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.carriers.groups import ONE_GROUP, Groups
from edgewise.aggregates.checkpoints import LATEST_DELIVERY, Checkpoint
from edgewise.aggregates.effects import Batch, Effect
from edgewise.aggregates.measures import Observation
from edgewise.dynamodb.table import RefusedError
from edgewise.dynamodb.writes import Replacement
from edgewise.stream import incomplete
from edgewise.stream.dispatch import dispatch, position
from edgewise.stream.writer import UnfinishedError, Written
from functions.catalog import CATALOG
from functions.replay.memory import MemoryTable
from tests.support.streams import PRESENT

ROOMS = [CATALOG.kinds["ROOM"](f"room {number}") for number in range(20)]
NOBODY: dict[str, frozenset[int]] = {}
LAST = Checkpoint(99, PRESENT)


class Putting(MemoryTable):
    """Remembers the carriers that were put; the first `refused` puts meet somebody else's."""

    refused = 0

    def __init__(self) -> None:
        super().__init__()
        self.puts: list[tuple[str, bool]] = []

    def replace(self, replacement: Replacement) -> None:
        if self.refused:
            self.refused -= 1
            raise RefusedError(None)
        self.puts.append((replacement.item["PK"]["S"], carrying.CARRIED in replacement.item))
        super().replace(replacement)


def batch(sequences: Sequence[int], at: int = PRESENT, rooms: int = 20) -> Batch:
    effects = [Effect(Checkpoint(number, at), {"Messages": Observation()}, {}) for number in sequences]
    return {room: effects for room in ROOMS[:rooms]}


def dispatched(table: MemoryTable, shared: Batch, groups: Groups = ONE_GROUP, **given: Any) -> Written:
    return dispatch(table, "shard", shared, groups, NOBODY, lambda: True, **given)


def number(table: MemoryTable) -> int | None:
    found = position(table, "shard")
    return found and found.sequence


def test_each_group_has_a_carrier_and_the_position_is_put_last() -> None:
    table = Putting()
    assert dispatched(table, batch([1, 2]), Groups.parse("4"), upto=LAST).written == 4
    assert table.puts == [(f"CARRIER#{group}", True) for group in (3, 2, 1, 0)]
    assert number(table) == 99
    assert position(table, "another") is None


def test_again_nothing_is_put() -> None:
    table = Putting()
    for _ in range(2):
        dispatched(table, batch([1, 2]), Groups.parse("4"), upto=LAST)
    assert len(table.puts) == 4


def test_where_nothing_waited_only_the_position_moves() -> None:
    table = Putting()
    dispatched(table, {}, Groups.parse("4"), upto=LAST)
    assert table.puts == [("CARRIER#0", False)]


def test_without_a_position_only_those_are_put_that_take_something() -> None:
    """As by a redrive."""
    table = Putting()
    dispatched(table, {})
    assert table.puts == []
    dispatched(table, batch([5], rooms=1))
    assert (table.puts, number(table)) == ([("CARRIER#0", True)], 5)


def test_a_refused_put_is_tried_again_on_what_is_there_then() -> None:
    table = Putting()
    table.refused = 3
    assert dispatched(table, batch([1])).conflicts == 3
    assert len(table.puts) == 1


def test_what_is_too_large_takes_several_puts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Putting()
    monkeypatch.setattr(carrying, "MOST_BYTES", 1)
    dispatched(table, batch(range(1, 6)), upto=LAST)
    assert table.puts == [("CARRIER#0", True)] * 5
    assert number(table) == 99


def test_no_put_is_begun_when_there_is_no_time() -> None:
    table = Putting()
    with pytest.raises(UnfinishedError):
        dispatch(table, "shard", batch([1]), ONE_GROUP, NOBODY, lambda: False)
    assert table.puts == []


def test_what_comes_too_late_is_noted_on_those_that_lack_it() -> None:
    table = Putting()
    found = dispatched(table, batch([1], at=PRESENT - LATEST_DELIVERY - 1, rooms=2))
    assert found.lacking == dict.fromkeys(ROOMS[:2], TOO_LATE)
    assert len(incomplete.page(table, 9, None)[0]) == 2
    assert table.get(keys.of(ROOMS[0])) is not None
