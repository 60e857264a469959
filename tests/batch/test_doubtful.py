"""What is unsettled three times in a row is verified directly, and what was has to wait for its turn again."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from batch import results
from batch.comparing import Compared
from batch.folders import Folder
from batch.found import UNSETTLED, Name
from batch.reconcile import Check, Declared
from batch.results import unsettled_times
from edgewise.aggregates import keys
from functions.systems.chat.system import USER


def unsettled(name: str) -> Compared:
    return Compared(keys.of(USER(name)), "USER", UNSETTLED, Name("USER", (name,)))


class Runs:
    """Runs one after the other, of which each knows the results of the one before."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.number = folder, 0

    def check(self, *names: str) -> list[str]:
        """These users are unsettled; which are to be verified directly?"""
        differing = [unsettled(name) for name in names]
        before = unsettled_times(self.folder.read, str(self.number))
        self.number += 1
        results.write(self.folder.write, str(self.number), Declared(), Check(0, 0, differing, [], 0), before, {})
        return self._named("doubtful")

    def _named(self, folder: str) -> list[str]:
        lines = list[bytes]()
        for part in sorted((self.folder.root / str(self.number) / folder).glob("part-*")):
            lines += gzip.decompress(part.read_bytes()).splitlines()
        return [json.loads(line)["about"][1][0] for line in lines]


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(Folder(tmp_path))


def test_the_third_time_in_a_row(runs: Runs) -> None:
    found = [runs.check("amy"), runs.check("amy", "bob"), runs.check("amy", "bob"), runs.check("bob")]
    assert found == [[], [], ["amy"], ["bob"]]


def test_then_it_is_counted_anew(runs: Runs) -> None:
    assert [runs.check("amy") for _ in range(6)] == [[], [], ["amy"], [], [], ["amy"]]


def test_one_settled_run_begins_anew(runs: Runs) -> None:
    steps: Sequence[Sequence[str]] = (["amy"], ["amy"], [], ["amy"], ["amy"], ["amy"])
    assert [runs.check(*names) for names in steps] == [[], [], [], [], [], ["amy"]]


def test_no_more_at_once_than_a_file_has_lines_for_and_the_longest_unsettled_first(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "LINES", 2)
    names = ["a", "b", "c", "d", "e"]
    runs.check("e", "d")
    found = [runs.check(*names) for _ in range(5)]
    assert found == [[], ["d", "e"], ["a", "b"], ["c"], ["d", "e"]]


def test_results_that_are_gone_count_for_nothing(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert unsettled_times(folder.read, "gone") == {}
    folder.write("torn/summary.json", json.dumps({"unsettled": 1}).encode())
    assert unsettled_times(folder.read, "torn") == {}
