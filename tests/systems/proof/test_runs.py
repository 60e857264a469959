"""A run in memory: the same for the same seed and script, really broken, and compared as a stage is."""

import json
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from functions.replay import watching
from functions.systems.proof import replaying
from functions.systems.proof.clicks import LETTERS
from functions.systems.proof.models import RunOut
from tests.delivery.mutants.changes import Edit

# Each kind of fault once, and what was poisoned is redriven: some seconds apart, so that each has its delivery.
ALL = ",".join(f"{3 + 5 * place}{letter}" for place, letter in enumerate(LETTERS))
# How each is told in the log.
TOLD = {
    "kill": "killed after write ",
    "lose answer": "killed after ",
    "poison": "this release can't read ",
    "slow": "each write waits, for 10 seconds",
    "repeat": "batch of ",
    "repeat half": "first ",
    "rewind": "read again from ",
    "lose state": "the window's state was lost: ",
    "split": "shard ",
}


@cache
def run(seed: int, script: str) -> RunOut:
    return watching.answer(seed, script)


def drift(of: RunOut) -> int:
    """By how much plain sums are off in the end, together."""
    return sum(number.plain.drift for number in of.frames[-1].numbers if number.plain)


@pytest.mark.parametrize("seed", [1, 2])
def test_each_fault_of_a_script_is_done_and_logged(seed: int) -> None:
    found = run(seed, ALL)
    done = {line.kind: line.what for frame in found.frames for line in frame.done}
    assert done.keys() == TOLD.keys()
    assert {kind for kind, what in done.items() if not what.startswith(TOLD[kind])} == set()
    assert [each.act for each in found.clicked] == list(LETTERS.values())
    (redriven,) = (each.of for each in found.clicked if each.act == "redrive")
    assert redriven
    assert any(shard.again for frame in found.frames for shard in frame.shards)


@pytest.mark.parametrize("seed", range(3))
def test_each_number_equals_a_recount_whenever_that_is_said_and_in_the_end_a_count_of_what_was_written(
    seed: int,
) -> None:
    found = run(seed, ALL)
    verdicts = Counter(number.verdict for frame in found.frames for number in frame.numbers)
    assert verdicts.keys() <= {"equal", "lacks"}
    assert verdicts["equal"] > verdicts["lacks"] > 0
    for number in (number for frame in found.frames for number in frame.numbers):
        assert number.expected == number.stored
    assert [(end.verdict, end.lacks) for end in found.ends] == [("equal", 0)] * 4
    assert [end.stored for end in found.ends] == [number.stored for number in found.frames[-1].numbers]
    assert min(end.recounted for end in found.ends) > 20


def test_a_plain_add_drifts_while_batches_come_again_and_not_otherwise() -> None:
    assert drift(run(1, "")) == 0
    again = run(1, "10d,20k,30a")
    assert drift(again) > 0
    off = [sum(number.plain.drift for number in frame.numbers if number.plain) for frame in again.frames]
    assert off == sorted(off), "nothing takes back what was added twice"


def test_what_is_in_quarantine_in_the_end_is_lacking() -> None:
    found = run(1, "10p")
    assert {end.verdict for end in found.ends} <= {"equal", "lacks"}
    assert sum(end.lacks for end in found.ends) > 0
    assert {number.verdict for number in found.frames[-1].numbers} >= {"lacks"}


@pytest.mark.parametrize(
    "mutant",
    [
        Edit(Checkpoint.covers, "sequence <= self.sequence", "False"),
        Edit(Aggregate.fresh, "known is None or not known.covers(effect.checkpoint.sequence)", "True"),
    ],
    ids=["checkpoints cover nothing", "nobody looks at checkpoints"],
)
def test_a_consumer_that_counts_twice_is_found_in_the_course_and_in_the_end(mutant: Edit) -> None:
    with mutant.made():
        found = watching.answer(1, "10d,20k,30a")
    assert {number.verdict for frame in found.frames for number in frame.numbers} >= {"wrong"}
    assert {end.verdict for end in found.ends} >= {"wrong"}


def test_another_seed_is_another_run() -> None:
    assert len({tuple(end.recounted for end in run(seed, ALL).ends) for seed in range(3)}) == 3


def in_a_process(hash_seed: str) -> str:
    """The same run in a process of its own, where texts have other hashes."""
    command = [sys.executable, "-m", replaying.MODULE, "2", "12k,20p,30r"]
    environment = {**replaying.environment(), "PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_the_same_seed_and_script_give_the_same_answer_in_any_process() -> None:
    one, other = in_a_process("1"), in_a_process("2")
    assert one == other
    assert json.loads(one)["seed"] == 2


def test_a_run_is_bounded_and_thousands_of_deliveries_fit_into_an_answer() -> None:
    found = run(7, "180k")
    assert len(found.frames) < 400
    assert 300 < found.frames[-1].written < 2000
    assert len(found.model_dump_json()) < 2_000_000
