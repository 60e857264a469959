"""The larger set of interleavings: every order of a few actors' requests, each state once."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.proofs.seeds import PROCESSES, quiet
from benchmarks.report import Table
from tests.delivery.interleavings.explore import Explored, explore
from tests.delivery.interleavings.scenario import Scenario
from tests.delivery.interleavings.scenarios import LARGE

SCENARIOS = len(LARGE)


def measure(done: Callable[[int], None], scenarios: Sequence[Scenario] = LARGE) -> Table:
    """Explore all histories of the scenarios; calls `done` with 1 after each."""
    explored = []
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), quiet) as pool:
        for each in pool.map(_explored, (scenario.name for scenario in scenarios)):
            explored.append(each)
            done(1)
    return _table(scenarios, explored)


def _explored(name: str) -> Explored:
    """Explore a scenario by its name: a declaration, which has functions, can't be sent to another process."""
    return explore(next(scenario for scenario in LARGE if scenario.name == name))


def _table(scenarios: Sequence[Scenario], explored: Sequence[Explored]) -> Table:
    rows = [_row(*each) for each in zip(scenarios, explored, strict=True)]
    total = sum(each.states for each in explored)
    return Table(
        "Every order: histories of a few actors, all interleavings of their requests",
        ("scenario", "states", "histories", "wrong"),
        [*rows, ("all", f"{total:,}", "", "")],
        tuple(_notes(scenarios, explored)),
        failed=any(each.wrong for each in explored),
    )


def _row(scenario: Scenario, explored: Explored) -> Sequence[str]:
    wrong = "FAILED" if explored.wrong else "none"
    return scenario.name, f"{explored.states:,}", f"{explored.histories:.1e}", wrong


def _notes(scenarios: Sequence[Scenario], explored: Sequence[Explored]) -> Iterator[str]:
    yield (
        "Two shards with at most two records each, redrives, a repair, a sweep; a device's readings and its closings; "
        "a refill of a ranking; one fault of each kind per history (`tests/delivery/interleavings/scenarios.py`). "
        "Equal states are visited once."
    )
    for scenario, each in zip(scenarios, explored, strict=True):
        if each.wrong:
            yield f"{scenario.name}: {each.wrong}"
