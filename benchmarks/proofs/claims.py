"""The claims in numbers: answers between any two writes of three levels, each held against what was true since then."""

import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from benchmarks.proofs import seeds
from benchmarks.proofs.seeds import PROCESSES
from benchmarks.report import Table
from tests.delivery.claiming import Claims
from tests.delivery.consuming import consuming

ANSWERS = 100_000
STEPS = 300


class Lived(NamedTuple):
    """How many answers a history had, and how many of these claimed an instant; what the first wrong one said."""

    answers: int
    claims: int
    wrong: str

    @property
    def failed(self) -> bool:
        """Whether it shows something that must not happen."""
        return bool(self.wrong)


def measure(done: Callable[[int], None], answers: int = ANSWERS, steps: int = STEPS) -> Table:
    """Live histories, seed after seed, until so many answers have claimed an instant; ends with the first wrong one.

    Calls `done` with how many have since the last call.
    """
    started, lived = time.perf_counter(), list[Lived]()
    for each in seeds.lived(history, steps):
        lived.append(each)
        done(each.claims)
        if each.wrong or sum(found.claims for found in lived) >= answers:
            break
    return _table(lived, steps, time.perf_counter() - started)


def history(seed: int, steps: int = STEPS) -> Lived:
    """Live one history."""
    with consuming() as consume:
        world = Claims(Random(seed), consume)
        world.live(steps)
    return Lived(world.answers, world.claims, next(iter(world.wrong), ""))


def _table(lived: list[Lived], steps: int, seconds: float) -> Table:
    wrong = next((each.wrong for each in lived if each.wrong), "")
    rows = [
        ("answers", f"{sum(each.answers for each in lived):,}"),
        ("of these with `as_of`", f"{sum(each.claims for each in lived):,}"),
        ("claimed what they lacked", f"FAILED: {wrong}" if wrong else "none"),
        (f"seconds, {PROCESSES} processes", f"{seconds:,.0f}"),
    ]
    return Table(
        "Claims: answers between any two writes of three levels",
        ("", seeds.told(len(lived))),
        rows,
        (
            f"Each seed is a history of {steps} events (`tests/delivery/claiming.py`): hosts change their states, "
            "edges and nodes come and go, either reader of the stream lags, dies at a write, gets a batch again. Each "
            "answer is held against what was true at its `as_of` and since.",
        ),
        failed=bool(wrong),
    )
