"""What others change at the same time is decided anew, until it is given up with a word on what it was."""

from unittest.mock import Mock

import pytest

from edgewise.dynamodb.renewal import ATTEMPTS, PAUSE, OvertakenError, insist
from edgewise.dynamodb.table import RefusedError, TransactionRefusedError


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it has paused, in seconds."""
    found = list[float]()
    monkeypatch.setattr("time.sleep", found.append)
    return found


def test_what_is_refused_is_decided_anew_after_a_pause(pauses: list[float]) -> None:
    attempt = Mock(side_effect=[RefusedError(None), TransactionRefusedError({}), "taken"])
    assert insist("it", attempt) == "taken"
    assert len(pauses) == 2


def test_what_is_refused_each_time_is_given_up_by_its_name(pauses: list[float]) -> None:
    attempt = Mock(side_effect=RefusedError(None))
    with pytest.raises(OvertakenError, match="changed the register"):
        insist("the register", attempt)
    assert attempt.call_count == ATTEMPTS
    assert max(pauses) <= PAUSE


def test_another_fault_is_not_tried_again(pauses: list[float]) -> None:
    with pytest.raises(KeyError):
        insist("it", Mock(side_effect=KeyError))
    assert pauses == []
