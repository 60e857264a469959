"""However often a topic changes: a notice a second at most, and one at or after the last change."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from edgewise.times import SECOND
from functions.push.pace import LATER, NOW, Pace

INSTANTS = st.lists(st.integers(0, 10 * SECOND), min_size=1).map(sorted)


def delivered(instants: list[int], topic: str = "DEVICE#1") -> list[int]:
    pace = Pace()
    waits = [(at, pace.delay(topic, at)) for at in instants]
    return [at + wait * SECOND for at, wait in waits if wait is not None]


@given(INSTANTS)
def test_notices_are_a_second_apart_and_the_last_change_is_told(instants: list[int]) -> None:
    found = delivered(instants)
    assert all(after - before >= SECOND for before, after in pairwise(found))
    for change in instants:
        assert any(change <= notice <= change + SECOND for notice in found), "told within a second"


def test_the_first_change_after_a_rest_is_told_at_once() -> None:
    assert delivered([0, 5 * SECOND]) == [0, 5 * SECOND]


def test_topics_do_not_wait_for_each_other() -> None:
    pace = Pace()
    assert [pace.delay(topic, 0) for topic in ("DEVICE#1", "DEVICE#2", "DEVICE#1", "DEVICE#1")] == [
        NOW,
        NOW,
        LATER,
        None,
    ]


def test_what_is_forgotten_has_been_delivered_a_second_ago() -> None:
    """So many topics that old ones are dropped: none of those that still have to wait."""
    pace = Pace()
    pace.delay("recent", 10 * SECOND)
    for number in range(10_000):
        pace.delay(f"old {number}", 0)
    pace.delay("new", 10 * SECOND)
    assert pace.delay("recent", 10 * SECOND) == LATER
