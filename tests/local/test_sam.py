"""`make sam` where it can write nothing."""

from pathlib import Path

import pytest

from local.processes import free_port
from local.sam import SamError, template
from tests.local.commands import outcome


def test_without_templates_it_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(SamError, match="make synth"):
        template(tmp_path, {})


@pytest.mark.parametrize(
    ("on", "said"),
    [("local", "the local cloud is not running: make run"), ("Q/A", "ON=Q/A: expected local, or the name of a stage")],
)
def test_where_nothing_is_deployed_it_says_so(on: str, said: str) -> None:
    status, printed = outcome("local.sam", on, port=free_port())
    assert status == 1
    assert printed.startswith(said)
