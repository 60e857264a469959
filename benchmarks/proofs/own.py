"""Somebody's own table in numbers: histories in all forms of keys, whose answers are held against a plain count."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.proofs.seeds import PROCESSES, Outcome, failures, lived, told
from benchmarks.report import Table
from delivery import Fault
from tests.own.shapes import SHAPES
from tests.own.simulated import EndlessError
from tests.own.world import World, WrongError, alone

# Ten histories of each shape.
HISTORIES, HAPPENINGS = 10 * len(SHAPES), 40
COMMANDS = ("apply", "discard", "recount", "sweep")


class Numbers(NamedTuple):
    """What histories consist of; `rows` are those that were compared at rest."""

    deliveries: int
    invocations: int
    renewals: int
    answers: int
    claims: int
    dated: int
    rows: int


@dataclass(frozen=True)
class History(Outcome):
    """What one seed's history consisted of, and how it ended."""

    numbers: Numbers
    commands: Counter[str]
    faults: Counter[Fault]


def measure(done: Callable[[int], None], histories: int = HISTORIES, happenings: int = HAPPENINGS) -> Table:
    """Live so many histories, seed after seed; ends with the first that fails. Calls `done` with 1 after each."""
    started, found = time.perf_counter(), list[History]()
    for each in lived(history, happenings):
        found.append(each)
        done(1)
        if each.failed or len(found) == histories:
            break
    return _table(found, happenings, time.perf_counter() - started)


def history(seed: int, happenings: int = HAPPENINGS) -> History:
    """Live one history."""
    wrong = endless = ""
    with alone(seed) as world:
        try:
            world.live(happenings)
        except WrongError as error:
            wrong = str(error)
        except EndlessError as error:
            endless = str(error)
        return _ended(seed, world, wrong, endless)


def _ended(seed: int, world: World, wrong: str, endless: str) -> History:
    ended, reader = [simulator.history for simulator in world.simulators], world.reader
    numbers = Numbers(
        sum(each.deliveries for each in ended),
        sum(each.invocations for each in ended),
        world.renewals,
        reader.answers,
        reader.claims,
        reader.dated,
        world.compared,
    )
    faults = sum((each.faults for each in ended), Counter[Fault]())
    return History(seed, numbers, world.commands, faults, wrong=wrong, endless=endless)


def _table(found: list[History], happenings: int, seconds: float) -> Table:
    numbers = Numbers(*map(sum, zip(*(each.numbers for each in found), strict=True)))
    commands = sum((each.commands for each in found), Counter[str]())
    faults = sum((each.faults for each in found), Counter[Fault]())
    rows = [
        ("record deliveries", f"{numbers.deliveries:,}"),
        ("invocations", f"{numbers.invocations:,}"),
        ("mappings made anew", f"{numbers.renewals:,}"),
        *((f"commands: {name}", f"{commands[name]:,}") for name in COMMANDS),
        ("answers", f"{numbers.answers:,}"),
        ("of these called complete", f"{numbers.claims:,}"),
        ("of these with `as_of`", f"{numbers.dated:,}"),
        ("of all answers, rows at rest", f"{numbers.rows:,}"),
        *failures(found),
        (f"seconds, {PROCESSES} processes", f"{seconds:,.0f}"),
        ("faults of all kinds", f"{faults.total():,}"),
    ]
    return Table(
        "Somebody's own table: views of overlapping sets, in all forms of keys",
        ("", told(len(found))),
        rows,
        (
            f"Each seed is a history of {happenings} events (`tests/own/world.py`) of a table in one of {len(SHAPES)} "
            "shapes, by turns: forms of keys, views within it or beside it, with heartbeats or without.",
            "Orders move between three sets, of which releases can't read some orders; some have no amount, or one "
            "that nobody can read. Operators apply, discard, recount, repair and sweep, and die at a write.",
            "A reader asks before every second write of the engine's. What is called complete must be what a plain "
            "count of the stream allows (`tests/own/counting.py`); at rest, and in the end, that is one number.",
            "What comes again for half a day, or for 20,000 deliveries, has no end.",
        ),
        failed=any(each.failed for each in found),
    )
