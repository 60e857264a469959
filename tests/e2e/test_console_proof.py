"""A stranger's path in a real browser: `ADD` goes wrong, ours does not, and what the stranger sends is found."""

from collections.abc import Callable

from tests.e2e import stranger
from tests.e2e.conftest import Client
from tests.e2e.console import Visitor


def test_a_stranger_makes_add_wrong_and_ours_not(visit: Callable[..., Visitor], sensor: Client) -> None:
    visitor = visit("/")
    *_, last = stranger.steps(visitor, sensor)
    assert last == stranger.FOUND
    assert not visitor.faults()
