"""Views drawn at random in numbers: declarations whose rows, lists and rankings are held against a plain GROUP BY."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from benchmarks.proofs.seeds import PROCESSES, Outcome, failures, lived, told
from benchmarks.report import Table
from delivery import Fault
from edgewise.testing import EndlessError
from tests.own.simulated import reproducible
from tests.views.drawing import Drawn
from tests.views.world import CHANGES, World, drawn
from tests.views.writing import TABLES

DECLARATIONS, OF_A_HISTORY = 1000, 5


class Numbers(NamedTuple):
    """What histories consist of; `uppers` are views of views, and `compared` all that was held against a count."""

    declarations: int
    uppers: int
    recounted: int
    deliveries: int
    invocations: int
    aside: int
    compared: int


@dataclass(frozen=True)
class History(Outcome):
    """What one seed's history consisted of, and how it ended."""

    numbers: Numbers
    measures: Counter[str]
    faults: Counter[Fault]


def measure(done: Callable[[int], None], declarations: int = DECLARATIONS, changes: int = CHANGES) -> Table:
    """Live histories, seed after seed, until so many declarations are drawn; ends with the first that fails.

    Calls `done` with how many have been since the last call.
    """
    started, found = time.perf_counter(), list[History]()
    for each in lived(history, changes):
        found.append(each)
        done(each.numbers.declarations)
        if each.failed or sum(one.numbers.declarations for one in found) >= declarations:
            break
    return _table(found, changes, time.perf_counter() - started)


def history(seed: int, changes: int = CHANGES) -> History:
    """Live one history of so many changes."""
    own, wrong, endless = TABLES[seed % len(TABLES)], list[str](), ""
    views = drawn(Random(seed), own, OF_A_HISTORY)
    with reproducible():
        world = World(views, own, seed)
        try:
            wrong = world.live(changes)
        except EndlessError as error:
            endless = str(error)
    return _ended(seed, views, world, next(iter(wrong), ""), endless)


def _ended(seed: int, views: list[Drawn], world: World, wrong: str, endless: str) -> History:
    ended = [simulator.history for simulator in world.shop.simulators]
    numbers = Numbers(
        len(views),
        sum(each.of is not None for each in views),
        sum(each.recountable for each in views),
        sum(each.deliveries for each in ended),
        sum(each.invocations for each in ended),
        len(world.aside),
        world.compared,
    )
    measures = Counter(word for each in views for word, *_ in each.measures.values())
    measures["top"] = sum(each.ranked is not None for each in views)
    return History(
        seed, numbers, measures, sum((each.faults for each in ended), Counter[Fault]()), wrong=wrong, endless=endless
    )


def _table(found: list[History], changes: int, seconds: float) -> Table:
    numbers = Numbers(*map(sum, zip(*(each.numbers for each in found), strict=True)))
    measures = sum((each.measures for each in found), Counter[str]())
    faults = sum((each.faults for each in found), Counter[Fault]())
    rows = [
        ("declarations", f"{numbers.declarations:,}"),
        ("of these views of views", f"{numbers.uppers:,}"),
        ("of these `recountable`", f"{numbers.recounted:,}"),
        *((f"measures: {word}", f"{number:,}") for word, number in sorted(measures.items())),
        ("record deliveries", f"{numbers.deliveries:,}"),
        ("invocations", f"{numbers.invocations:,}"),
        ("records set aside, and redriven", f"{numbers.aside:,}"),
        ("rows, lists and rankings compared", f"{numbers.compared:,}"),
        *failures(found),
        (f"seconds, {PROCESSES} processes", f"{seconds:,.0f}"),
        ("faults of all kinds", f"{faults.total():,}"),
    ]
    return Table(
        "Views drawn at random, against a plain GROUP BY",
        ("", told(len(found))),
        rows,
        (
            f"Each seed draws {OF_A_HISTORY} declarations or one more (`tests/views/drawing.py`) of a table in one of "
            f"{len(TABLES)} forms of keys, and lives {changes} changes of its orders (`tests/views/world.py`).",
            "Faults are those of `delivery.HOSTILE`. Releases can't read some orders, whose records are set aside; "
            "operators apply them and sweep, and die at a write.",
            "The count reads and groups items by itself: it has no code of the engine's. A view must say the same and "
            "call it complete, also of groups that have nothing any more.",
        ),
        failed=any(each.failed for each in found),
    )
