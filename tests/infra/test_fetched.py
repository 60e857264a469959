"""What is fetched once: whole or not at all, however many processes want it."""

from pathlib import Path

import pytest

from infra.fetched import fetched


def _made(scratch: Path) -> Path:
    made = scratch / "made"
    made.mkdir()
    (made / "file").write_text("whole")
    return made


def test_what_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    ready = tmp_path / "tools" / "ready"
    assert (fetched(ready, _made) / "file").read_text() == "whole"
    assert fetched(ready, lambda _: pytest.fail("fetched again")) == ready
    assert [path.name for path in ready.parent.iterdir()] == ["ready"]


def test_two_processes_may_fetch_the_same_at_once(tmp_path: Path) -> None:
    ready = tmp_path / "ready"

    def overtaken(scratch: Path) -> Path:
        fetched(ready, _made)
        return _made(scratch)

    assert (fetched(ready, overtaken) / "file").read_text() == "whole"


def test_what_was_interrupted_is_not_taken_for_finished(tmp_path: Path) -> None:
    def interrupted(scratch: Path) -> Path:
        _made(scratch)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetched(tmp_path / "ready", interrupted)
    assert not list(tmp_path.iterdir())
