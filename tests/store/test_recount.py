"""How a recount reads. (What it finds: tests/contract/test_recount.py.)"""

from decimal import Decimal

from functions.domain.aggregates import AggregateId
from functions.domain.telemetry import Event
from functions.domain.times import rfc_3339
from functions.store import events
from functions.store.queries import Page, Query
from functions.store.recount import recount
from tests.support.memory import MemoryTable

ROLLUP, DEVICE = AggregateId("ROLLUP_HOUR", ("123", 0)), AggregateId("DEVICE", ("123",))


class Watched(MemoryTable):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Query] = []
        events.write(self, [Event("123", at, "e", (), {"t": Decimal(at)}) for at in range(5)])

    def query(self, query: Query) -> Page:
        self.asked.append(query)
        return super().query(query)


def test_sources_are_read_as_they_are_now() -> None:
    """An eventual read could miss what was added before the removal, for good."""
    table = Watched()
    recount(table, ROLLUP, ["0.t"])
    recount(table, DEVICE, ["Events"])
    assert table.asked
    assert all(query.consistent for query in table.asked)


def test_the_ends_of_a_timeline_are_found_without_reading_the_rest() -> None:
    table = Watched()
    extremes = recount(table, DEVICE, ["Events"])["Events"].extremes
    assert extremes.first is not None
    assert extremes.last is not None
    assert (extremes.first.at, extremes.last.at) == (0, 4)
    assert [query.forward for query in table.asked] == [True, False]


def test_a_cell_without_sources_is_absent() -> None:
    assert recount(Watched(), ROLLUP, ["1.t", "0.other"]) == {}


def test_a_cell_with_a_source_that_cannot_be_understood_is_absent() -> None:
    """It stays due, and blocks nobody: what can't be understood is no reason to stop the stream."""
    table = Watched()
    table.put_many([{"PK": {"S": "DEVICE#123"}, "SK": {"S": f"EVENT#{rfc_3339(2)}#garbage"}, "Type": {"S": "EVENT"}}])
    assert recount(table, ROLLUP, ["0.t"]) == {}
