"""What is decided about runs, and what they cost."""

from decimal import Decimal

import pytest

from functions.systems.checks.entity import Lock
from functions.systems.checks.prices import Used, cost
from tests.systems.checks.made import BEGAN, NAME, figures, reconcile

GIB = 1024**3


def test_a_run_ends_well_or_fails() -> None:
    done, failed = reconcile().done(7, figures()), reconcile().failed(8, "x" * 2000)
    assert (done.state, done.ended, done.figures, done.error) == ("done", 7, figures(), "")
    assert (failed.state, failed.ended, failed.figures, failed.error) == ("failed", 8, None, "x" * 1000)


def test_a_lease_is_three_hours() -> None:
    assert Lock(NAME, "daily", BEGAN, BEGAN).renewed(BEGAN + 5).until == BEGAN + 5 + 3 * 3_600_000


@pytest.mark.parametrize(
    ("used", "usd"),
    [
        (Used(0, Decimal(0), Decimal(0)), "0.0000"),
        (Used(10 * GIB, Decimal(0), Decimal(0)), "1.0000"),
        (Used(0, Decimal(2), Decimal(8)), "0.1212"),  # 0.084188 + 0.037024
        (Used(5 * GIB, Decimal("0.5"), Decimal(2), Decimal(100)), "0.5414"),  # 0.5 + 0.021047 + 0.009256 + 0.0111
    ],
)
def test_what_a_run_costs(used: Used, usd: str) -> None:
    assert str(cost(used)) == usd
