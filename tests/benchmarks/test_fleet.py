"""A fleet's row: what is exact, what is averaged, and that all lanes take part."""

from collections.abc import Iterator

import pytest

from benchmarks import engine, fleet
from benchmarks.fleet import Case
from benchmarks.workloads import Fleet


@pytest.fixture(scope="module")
def running(java: None) -> Iterator[None]:
    with engine.running():
        yield


@pytest.mark.parametrize(
    "case",
    [
        Case(Fleet(20)),
        Case(Fleet(8, metrics=1, a_site=2, mixed=True), batch=3, lanes=2, days=True),
        Case(Fleet(4), deferred=fleet.LATER, window=5),
    ],
)
def test_each_way_of_deploying_is_exact(running: None, case: Case) -> None:
    result = fleet.measured(f"{hash(case)}", case)
    assert result.verdict == "exact"
    assert result.readings == case.fleet.devices * (len(case.within) + len(case.closing))


def test_a_reading_is_one_unit_its_places_and_its_share_of_a_closing(running: None) -> None:
    """Ten devices at one site: one write of each, four places and three entries of places for all of them.

    An hour that closes writes its block, that of the day, and the edge.
    """
    result = fleet.measured("ten", Case(Fleet(10)))
    assert result.each["write_units"] == pytest.approx(1 + 7 / 10 + 3 / 60)
