"""A lane that is behind: the times computed, against a count of every second; and that all four inputs are measured."""

from collections.abc import Iterator

import pytest

from benchmarks import backlog, catch_up, engine
from benchmarks.backlog import HOUR, RATE, Assumed, Lane
from benchmarks.workloads import Fleet, chat, weather


def counted(behind: float, rate: float, children: int = 1) -> list[float]:
    """How far behind a lane is, second by second until it is not: the oldest second not yet worked off.

    With children, the shard has just split: its lane works off what it has, then each child has its share of the rest.
    """
    oldest, now, lags = -behind, 0.0, []
    while oldest < now:
        before_the_split = oldest < 0 or children == 1
        oldest += rate / (RATE if before_the_split else RATE / children)
        now += 1
        lags.append(now - oldest)
    return lags


@pytest.mark.parametrize(("rate", "children"), [(1_100, 1), (4_000, 1), (800, 2), (1_500, 2), (300, 4)])
def test_a_backlog_is_worked_off_when_the_oldest_second_is_the_present_one(rate: float, children: int) -> None:
    assert backlog.worked_off(HOUR, rate, 1 / children) == pytest.approx(len(counted(HOUR, rate, children)), abs=2)


@pytest.mark.parametrize(("rate", "share"), [(1_000, 1), (400, 1), (500, 0.5)])
def test_a_lane_that_is_no_faster_than_its_shard_never_catches_up(rate: float, share: float) -> None:
    assert backlog.worked_off(HOUR, rate, share) is None


def test_how_far_behind_readers_are() -> None:
    assert backlog.behind_after(600, HOUR, 1_500) == pytest.approx(counted(HOUR, 1_500)[599])
    assert backlog.behind_after(HOUR, HOUR, 10_000) == 0
    assert backlog.behind_after(HOUR, HOUR, 250) == 1.75 * HOUR  # worked off a quarter of what came


def test_records_are_lost_when_the_lane_is_a_day_behind() -> None:
    seconds = backlog.lost_after(HOUR, 400)
    assert seconds is not None
    assert backlog.behind_after(seconds, HOUR, 400) == pytest.approx(24 * HOUR)
    assert backlog.lost_after(HOUR, 1_000) is None


def test_a_lane_waits_for_its_requests_in_several_threads() -> None:
    lane, assumed = Lane(cpu=0.001, reads=0.2, writes=0.4), Assumed(read=0.003, write=0.006, threads=3)
    assert lane.wait(assumed) == pytest.approx((0.0006 + 0.0024) / 3)
    assert lane.rate(assumed) == pytest.approx(500)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "never"), (0, "0 s"), (89, "89 s"), (90, "1.5 min"), (5_399, "90.0 min"), (9e4, "25.0 h")],
)
def test_times_are_told_in_one_unit(seconds: float | None, text: str) -> None:
    assert backlog.told(seconds) == text


def test_a_fleet_reports_once_a_minute_each_device_at_its_second() -> None:
    readings = Fleet(3).rounds((59, 60)).readings
    assert [each.at for each in readings] == [
        f"2026-11-02T{minute}:{second:02}Z" for minute in ("12:59", "13:00") for second in (0, 20, 40)
    ]
    assert [each.device for each in readings[:3]] == [each.device for each in readings[3:]]
    assert {len(each.place) for each in readings} == {4}


@pytest.fixture
def running(java: None) -> Iterator[None]:
    with engine.running():
        yield


def test_each_input_is_worked_off_while_there_is_time(running: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catch_up, "BATCH", 20)
    with engine.silenced():
        table = catch_up.measure(weather().first(50), chat(whole=False).first(50), seconds=0)
    assert [row[0] for row in table.rows] == ["fleet", "edges", "weather", "chat"]
    figures = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [row["measured"] for row in figures] == ["20"] * 4
    for row in figures:
        requests = float(row["read requests"]) + float(row["write requests"])
        assert float(row["wait µs"].replace(",", "")) == pytest.approx(requests * 5_000 / 3, abs=3)
