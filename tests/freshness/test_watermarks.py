"""The watermark of a shard: what it says is true of the shard, also where it leaves moments out."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.freshness import watermarks
from edgewise.freshness.hops import promised, ways
from edgewise.freshness.known import Known
from edgewise.freshness.shards import NO_PARENT, Shards
from edgewise.freshness.watermarks import MOMENTS, Reached, Watermark, absorbed_until, reached, watermark
from edgewise.stream.windows import SECONDS
from edgewise.times import DAY, HOUR, SECOND, Millis
from functions.catalog import CATALOG

T = 1_535_544_000_000
HEARTBEATS = st.lists(st.text("abcdef0123456789", min_size=1, max_size=8), max_size=3)
STEPS = st.lists(st.tuples(st.integers(1, 3 * HOUR), st.integers(0, 2 * DAY)), min_size=1, max_size=40)


def moved_by(steps: list[tuple[int, int]], heartbeats: list[str]) -> tuple[Watermark, list[Reached]]:
    now, mark, told = T, Watermark("0001-ab"), []
    for later, behind in steps:
        now += later
        told.append(Reached(now, now - behind, now - 2 * behind, now - 3 * behind))
        mark = mark.moved(told[-1], heartbeats)
    return mark, told


@given(STEPS, HEARTBEATS)
def test_a_watermark_comes_back(steps: list[tuple[int, int]], heartbeats: list[str]) -> None:
    mark, _ = moved_by(steps, heartbeats)
    assert watermark(watermarks.replacing(mark).item) == mark


def test_while_no_shard_is_hours_late_one_write_unit_suffices() -> None:
    mark, _ = moved_by([(10 * SECOND, 90 * SECOND)] * 2_000, [])
    assert len(watermarks.replacing(mark).item["Reached"]["S"]) < 850


@given(STEPS)
def test_it_keeps_the_last_moment_and_few_others_all_of_them_true(steps: list[tuple[int, int]]) -> None:
    mark, told = moved_by(steps, [])
    assert mark.history[-1] == told[-1]
    assert len(mark.history) <= MOMENTS
    assert set(mark.history) <= set(told)
    assert mark.version == len(steps)


def test_moments_lie_closer_the_younger_they_are() -> None:
    """So one lies at about each age, whether a reader looks back for seconds or for hours."""
    mark, told = moved_by([(10 * SECOND, 0)] * 2_000, [])
    ages = [told[-1].at - each.at for each in mark.history]
    assert ages[0] > 2 * HOUR
    assert ages[-3] <= 30 * SECOND
    assert all(older <= 5 * max(younger, 10 * SECOND) for older, younger in pairwise(ages))


@pytest.mark.parametrize("apart", [SECOND, 10 * SECOND])
def test_the_longest_way_keeps_its_promise_while_nothing_is_late(apart: Millis) -> None:
    """Each of its hops goes back to a moment before the last one, and must not lose minutes in the gaps."""
    marks = {shard: Watermark(shard) for shard in "abcd"}
    shards, window = Shards(1, dict.fromkeys(marks, NO_PARENT)), SECONDS * SECOND
    for now in range(T, T + 2 * HOUR, apart):
        for place, shard in enumerate(marks):
            at, ended = now + 100 * (place + 3), (now - place * SECOND) // window * window + place * SECOND
            marks[shard] = marks[shard].moved(Reached(at, now - 1, min(now - 1, ended), now - 5 * SECOND), ["x"])
        for name in ("PLACE", "ROOM", "DEVICE") if now > T + HOUR else ():
            found = ways(CATALOG.kinds[name])
            as_of = Known(shards, dict(marks)).as_of(found, now)
            assert as_of is not None
            assert now - as_of <= promised(found), name


def test_names_stay_known_until_others_come() -> None:
    mark, _ = moved_by([(1, 0)], ["a"])
    assert mark.moved(Reached(T + HOUR, T, T, T), []).heartbeats == ("a",)
    assert mark.moved(Reached(T + HOUR, T, T, T), ["b"]).heartbeats == ("b",)


def test_nothing_is_said_of_the_second_that_may_go_on() -> None:
    assert absorbed_until(T, []) == T - SECOND


def test_a_heartbeat_says_when_it_was_sent() -> None:
    assert absorbed_until(T, [T + 400, T + 300]) == T + 399


def test_a_clock_that_is_ahead_is_not_believed() -> None:
    assert absorbed_until(T, [T + HOUR]) == T + SECOND - 1


def test_an_old_heartbeat_says_nothing() -> None:
    assert absorbed_until(T, [T - HOUR]) == T - SECOND


def test_what_waits_is_neither_carried_nor_brought() -> None:
    assert reached(T, T - 1, None, None) == (T, T - 1, T - 1, T - 1)
    assert reached(T, T - 1, T - HOUR, None) == (T, T - 1, T - HOUR - SECOND, T - 1)
    assert reached(T, T - 1, None, T - HOUR) == (T, T - 1, T - 1, T - HOUR - SECOND)
