"""What is bad of an objective, by the math of CloudWatch, and how fast a budget burns that rings."""

from collections.abc import Mapping

import pytest

from infra.objectives import DOOR, FAST, OBJECTIVES, SLOW
from infra.watches import WATCHES
from tests.support.cloudwatch import Number, calculated

# What is as it should be, and what is not, with the percentage of the latter.
SEEN: Mapping[str, tuple[Mapping[str, Number], Mapping[str, Number], float]] = {
    "api": ({"failed": 0, "requests": 9, "slow": 0}, {"failed": 2, "requests": 100, "slow": 1}, 3),
    "queue": ({"waiting": 599}, {"waiting": 600}, 100),
    "push": ({"sent": 9, "missed": 0}, {"sent": 30, "missed": 10}, 25),
    "aggregates": ({"consumer": 899_999}, {"consumer": 900_000}, 100),
    "follow-ups": ({"cascade": 0}, {"cascade": 10**7}, 100),
    "search": ({"waiting": 0}, {"waiting": 900}, 100),
    "complete": ({"lacking": 0}, {"lacking": 1}, 1),
    "exact": ({"differing": 0}, {"differing": 2}, 2),
}


@pytest.mark.parametrize("name", OBJECTIVES)
def test_what_is_bad_is_told_in_percent(name: str) -> None:
    good, bad, percent = SEEN[name]
    assert calculated(OBJECTIVES[name].bad, good) == 0
    assert calculated(OBJECTIVES[name].bad, bad) == percent


def test_nobody_asks_the_api_and_nothing_is_bad() -> None:
    assert calculated(DOOR.bad, {"failed": None, "requests": None, "slow": None}) is None


def test_a_page_is_for_a_fiftieth_of_a_month_in_an_hour_and_a_ticket_for_a_twentieth_in_six() -> None:
    month = 30 * 24 * (100 - DOOR.percent)
    assert WATCHES["api-failing-hour"].rule.at_least == WATCHES["api-failing-now"].rule.at_least == 1.44
    assert 1 * DOOR.burning(FAST) / month == pytest.approx(1 / 50)
    assert WATCHES["api-burning"].rule.at_least == 0.6
    assert 6 * DOOR.burning(SLOW) / month == pytest.approx(1 / 20)
