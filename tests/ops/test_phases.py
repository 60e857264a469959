"""What a command prints of its phases."""

import re
from io import StringIO

import pytest
from rich.console import Console

from ops.errors import LocalError
from ops.phases import Phases


def test_a_phase_that_fails_says_how_far_it_came() -> None:
    printed = StringIO()
    phases = Phases(Console(file=printed, width=100))
    with phases("start"):
        pass
    with pytest.raises(LocalError):
        _fail_at_2000(phases)
    lines = [re.sub(" +[0-9.]+ s$", "", line) for line in printed.getvalue().splitlines()]
    assert lines == ["start", "post 8,000 messages: ended at 2,000"]


def _fail_at_2000(phases: Phases) -> None:
    with phases("post 8,000 messages", 8000) as done:
        done(500)
        done(1500)
        raise LocalError("busy")
