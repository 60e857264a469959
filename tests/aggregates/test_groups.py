"""Which group's carriers take a change."""

import pytest

from edgewise.aggregates.carriers.groups import COOL_DOWN, LEAD, MOST, ONE_GROUP, Groups
from functions.catalog import CATALOG

STEP = 1_796_083_200_000  # 2026-12-01T00:00:00Z
DAY = 24 * 3_600_000
ROOMS = [CATALOG.kinds["ROOM"](f"room {number}") for number in range(400)]


def groups_of(history: str, at: int) -> list[int]:
    return [Groups.parse(history).group_of(room, at) for room in ROOMS]


def test_at_first_there_is_one() -> None:
    assert str(ONE_GROUP) == "1"
    assert set(groups_of("1", STEP)) == {0}


def test_groups_share_the_aggregates_evenly_enough() -> None:
    found = groups_of("8", STEP)
    assert set(found) == set(range(8))
    assert max(found.count(group) for group in range(8)) <= 1.6 * len(ROOMS) / 8


def test_a_record_keeps_its_group_when_the_number_changes_later() -> None:
    """Else one that comes again, or is redriven, would be carried by two."""
    changed = "2,4@2026-12-01T00:00:00Z,8@2026-12-02T00:00:00Z"
    assert groups_of(changed, STEP - 1) == groups_of("2", 0)
    assert groups_of(changed, STEP) == groups_of("4", 0) != groups_of("2", 0)
    assert groups_of(changed, STEP + DAY) == groups_of("8", 0)
    assert Groups.parse(changed).most == 8


@pytest.mark.parametrize("text", ["1", "64", "1,4@2026-12-01T00:00:00.000Z,2@2026-12-01T00:00:00.001Z"])
def test_a_history_as_text(text: str) -> None:
    assert str(Groups.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "2048", "-1", "4@2026-12-01T00:00:00Z", "1,4", "1,4@tomorrow", "1,4@2026-12-01T00:00:00"),
        "1,4@2026-12-01T00:00:00Z,2@2026-12-01T01:00:00+01:00",
        "1,2048@2026-12-01T00:00:00Z",
    ],
)
def test_a_history_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Groups.parse(text)


def test_they_are_doubled_from_a_minute_later_on() -> None:
    """Whoever runs now knows nothing of it, and has no record of that time."""
    assert str(ONE_GROUP.doubled(STEP)) == "1,2@2026-12-01T00:01:00.000Z"


def test_they_are_doubled_again_only_when_the_last_step_has_shown() -> None:
    history = ONE_GROUP.doubled(STEP)
    assert history.doubled(STEP + LEAD + COOL_DOWN - 1) == history
    assert history.doubled(STEP + LEAD + COOL_DOWN).most == 4


def test_there_is_a_most() -> None:
    assert Groups.parse(str(MOST)).doubled(STEP).most == MOST
