"""How a recount reads. (What it finds: tests/contract/test_recount.py.)"""

from decimal import Decimal

import pytest

from edgewise.aggregates.measures import Extremes, Moment, joined
from edgewise.aggregates.recounts.progress import START, Progress
from edgewise.aggregates.recounts.reading import step
from edgewise.dynamodb.queries import Page, Query
from edgewise.times import rfc_3339
from functions.replay.memory import MemoryTable
from functions.systems.telemetry import system as telemetry_system
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import ROLLUP_DAY, ROLLUP_HOUR
from tests.support import readings as events

ROLLUP, DAY = ROLLUP_HOUR("123", 0), ROLLUP_DAY("123", 0)
DEVICE = telemetry_system.DEVICE("123")


class Watched(MemoryTable):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Query] = []
        events.write(self, [Reading("123", at, "e", (), {"t": Decimal(at)}) for at in range(5)])

    def query(self, query: Query) -> Page:
        self.asked.append(query)
        return super().query(query)


def test_sources_are_read_as_they_are_now() -> None:
    """An eventual read could miss what was added before the removal, for good."""
    table = Watched()
    step(table, ROLLUP, {"0.t"})
    step(table, DEVICE, {"Events"})
    step(table, DAY, {"0.t"})
    assert table.asked
    assert all(query.consistent for query in table.asked)


def test_the_ends_of_a_timeline_are_found_without_reading_the_rest() -> None:
    table = Watched()
    taken = step(table, DEVICE, {"Events"})
    assert taken == Progress({"Events": Extremes(None, None, Moment(0, Decimal(0)), Moment(4, Decimal(0)))})
    assert [(query.forward, query.limit) for query in table.asked] == [(True, 1), (False, 1)]


def test_a_cell_without_sources_is_absent() -> None:
    assert step(Watched(), ROLLUP, {"1.t", "0.other"}) == Progress({}, sources={"1.t": {}, "0.other": {}})


def test_with_a_source_that_cannot_be_understood_nothing_is_known() -> None:
    """It stays due, and blocks nobody: what can't be understood is no reason to stop the stream."""
    table = Watched()
    table.put_many([{"PK": {"S": "DEVICE#123"}, "SK": {"S": f"EVENT#{rfc_3339(2)}#garbage"}, "Type": {"S": "EVENT"}}])
    assert step(table, ROLLUP, {"0.t"}) is None


def test_all_cells_of_an_hour_are_read_at_once() -> None:
    table = Watched()
    events.write(table, [Reading("123", at, "e", (), {"t": Decimal(at), "u": Decimal(-at)}) for at in range(5)])
    table.asked.clear()
    taken = step(table, ROLLUP, {"0.t", "0.u"})
    assert len(table.asked) == 1
    assert taken is not None
    assert (taken.found["0.t"].high, taken.found["0.u"].low) == (Decimal(4), Decimal(-4))


@pytest.mark.parametrize("items", range(1, 8))
def test_a_recount_reads_no_more_than_it_may_and_goes_on_where_it_stopped(items: int) -> None:
    table, position, found = Watched(), START, Extremes()
    for _ in range(10):
        table.asked.clear()
        taken = step(table, ROLLUP, {"0.t"}, position, items)
        assert taken is not None
        assert sum(query.limit or 0 for query in table.asked) <= items
        found = joined(found, taken.found.get("0.t", Extremes()))
        if taken.position is None:
            break
        assert taken.position > position
        position = taken.position
    assert (found.low, found.high) == (Decimal(0), Decimal(4))


def test_a_recount_looks_at_the_clock_before_each_read() -> None:
    looks = iter([True, True, False])
    table = Watched()
    taken = step(table, DEVICE, {"Events"}, may_go_on=looks.__next__)
    assert taken is not None
    assert (taken.position, len(table.asked)) == (None, 2)
    stopped = step(table, DEVICE, {"Events"}, may_go_on=lambda: False)
    assert stopped == Progress({}, START, sources={"Events": {}})
