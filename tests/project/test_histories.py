"""Every run takes the same share of the histories at random; a night takes all and new ones; what it finds stays."""

import json
from pathlib import Path

import pytest

from tests.support import histories


@pytest.fixture(autouse=True)
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "found.json").write_text(json.dumps({"tests/a.py::test_it": [77, 1]}))
    monkeypatch.setattr(histories, "FOUND", tmp_path / "found.json")
    monkeypatch.setattr(histories, "NIGHT", "")


def test_a_day_takes_a_share_and_what_was_found() -> None:
    assert histories.seeds("tests/a.py::test_it", 24, "") == [77, 1, 0, 2]
    assert histories.seeds("tests/b.py::test_it", 24, "") == [0, 1, 2]
    assert histories.seeds("tests/b.py::test_it", 3, "") == [0]
    assert histories.seeds("tests/b.py::test_it", 1, "") == [0]


def test_each_night_takes_all_and_new_ones() -> None:
    first, again, second = (histories.seeds("tests/a.py::test_it", 12, night) for night in ("1", "1", "2"))
    assert first == again != second
    assert first[:13] == [77, 1, 0, *range(2, 12)]
    assert len({*first[13:]} | {*second[13:]}) >= 23
