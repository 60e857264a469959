"""Waiting by looking again: only at what differs, until nothing does or the time is over."""

import pytest

from ops.recounting.facts import Name
from verify import settling
from verify.facts import Difference
from verify.settling import until_equal

WRONG = Difference(Name("USER", ("amy",)), "messages", "2", "1", "x")


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "PAUSE_SECONDS", 0)


def test_what_agrees_is_not_looked_at_again() -> None:
    looks: list[str] = []
    agreed: list[int] = []

    def differs(item: str) -> list[Difference]:
        looks.append(item)
        return [WRONG] if item == "late" and looks.count("late") < 3 else []

    assert until_equal(["early", "late"], differs, 60, agreed.append) == []
    assert sorted(looks) == ["early", "late", "late", "late"]
    assert agreed == [1, 0, 1]


def test_what_still_differs_at_the_end_is_told() -> None:
    assert until_equal(["never"], lambda _: [WRONG], 0, lambda _: None) == [WRONG]
