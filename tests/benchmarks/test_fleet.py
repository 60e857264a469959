"""A fleet's row: what is exact, what is averaged, and that all lanes take part."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import pytest

from benchmarks import engine, fleet
from benchmarks.arrivals import Arrivals
from benchmarks.fleet import Case
from edgewise.times import HOUR, SECOND, millis, parse_instant


@pytest.fixture(scope="module")
def running(java: None) -> Iterator[None]:
    with engine.running():
        yield


at_night = partial(pytest.param, marks=pytest.mark.night("two other fleets"))


@pytest.mark.parametrize(
    "case",
    [
        at_night(Case(Arrivals(20))),
        Case(Arrivals(8, metrics=1, a_site=2, every=10, late=0.2), lanes=2, days=True),
        Case(Arrivals(12, a_site=3, moving=0.3), lanes=3),
        at_night(Case(Arrivals(12, a_site=3, moving=0.3, knows=2), lanes=2)),
        at_night(Case(Arrivals(12, a_site=3), lanes=2, apart=True)),
    ],
)
def test_each_fleet_is_exact(running: None, case: Case) -> None:
    result = fleet.measured(f"{hash(case)}", case)
    assert result.verdict == "exact"
    assert result.readings == pytest.approx(case.fleet.devices * 200 / case.fleet.every, rel=0.25)


def test_a_reading_is_one_unit_and_its_share_of_places_and_closings(running: None) -> None:
    """Sixty devices at one site: one write of each reading, and in each window of 50 s a carrier and four places.

    An hour that closes writes its block, that of the day, and the edge.
    """
    result = fleet.measured("sixty", Case(Arrivals(60, a_site=60)))
    assert result.each["write_units"] == pytest.approx(1 + (1 + 4) / 50 + 3 / 60, abs=0.01)


def test_a_device_reports_in_its_own_rhythm() -> None:
    arrivals = Arrivals(30, every=10)
    first, second = (
        [each for at in range(turn, turn + 10) for each in arrivals.second(at * SECOND).readings] for turn in (0, 10)
    )
    assert sorted(each.device for each in first) == sorted({each.device for each in first})
    assert [each.device for each in first] == [each.device for each in second]
    later = [
        millis(parse_instant(two.at)) - millis(parse_instant(one.at)) for one, two in zip(first, second, strict=True)
    ]
    assert set(later) == {10 * SECOND}


def test_late_readings_are_up_to_an_hour_late() -> None:
    arrivals = Arrivals(600, every=10, late=0.5)
    age = [HOUR - millis(parse_instant(each.at)) for each in arrivals.second(HOUR).readings]
    assert 0.3 < sum(each > SECOND for each in age) / len(age) < 0.7
    assert max(age) < HOUR + SECOND


def test_who_moves_stays_there() -> None:
    arrivals = Arrivals(40, a_site=4, every=1, moving=0.1)
    places = [[each.place for each in arrivals.second(turn * SECOND).readings] for turn in range(100, 120)]
    moved = sum(one != two for before, after in pairwise(places) for one, two in zip(before, after, strict=True))
    assert 0.05 < moved / (40 * 19) < 0.15


def test_who_moves_between_known_sites_has_been_there_while_visiting() -> None:
    arrivals = Arrivals(40, a_site=4, every=1, moving=0.2, knows=2)
    visited = [_places(arrivals.visiting, turn) for turn in (0, 1)]
    places = [_places(arrivals, turn) for turn in range(100, 120)]
    assert all(at in (visited[0][device], visited[1][device]) for turn in places for device, at in turn.items())
    moved = sum(before[device] != after[device] for before, after in pairwise(places) for device in before)
    assert 0.05 < moved / (40 * 19) < 0.15


def _places(arrivals: Arrivals, turn: int) -> dict[str, tuple[str, ...]]:
    return {each.device: each.place for each in arrivals.second(turn * SECOND).readings}
