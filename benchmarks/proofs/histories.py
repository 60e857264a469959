"""The proof in numbers: a million record deliveries from histories of all systems, each compared with its recount."""

import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random

from benchmarks.report import Table
from delivery import HARSH, Fault
from tests.delivery.consuming import consuming
from tests.delivery.simulated import MAPPING, SimulatedMemory
from tests.delivery.world import HAPPENINGS, World, run

DELIVERIES = 1_000_000
FIRST_SEED, HAPPENINGS_A_SEED, PROCESSES = 1, 300, 2
# By turns: of many shards, most are quiet.
SHARDS = (2, 8)


class HarshMemory(SimulatedMemory):
    """Under HARSH and with states lost, in larger batches; shards live for several thousand records, as in reality."""

    mapping = replace(MAPPING, batch_size=100)
    faults = replace(HARSH, split=0.001, roll_over=0.005, state_lost=0.02, window_lost=0.3, doubled=0.02)


@dataclass(frozen=True)
class History:
    """The result of one seed's history; `exact`: everything equals the recount."""

    seed: int
    exact: bool
    deliveries: int
    invocations: int
    compared: int
    faults: Counter[Fault]


@dataclass
class Proof:
    """All histories so far; `wrong` is the first seed whose numbers differ."""

    seeds: int = 0
    deliveries: int = 0
    invocations: int = 0
    compared: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)
    wrong: int | None = None

    def add(self, history: History) -> None:
        """Count one more history."""
        self.seeds += 1
        self.deliveries += history.deliveries
        self.invocations += history.invocations
        self.compared += history.compared
        self.faults += history.faults
        if not history.exact:
            self.wrong = history.seed


def measure(done: Callable[[int], None], deliveries: int = DELIVERIES, happenings: int = HAPPENINGS_A_SEED) -> Table:
    """Run histories, seed after seed, until this many records are delivered; ends at the first difference.

    Calls `done` with how many deliveries have been made since the last call. `happenings`: how many make a history.
    """
    started, proof = time.perf_counter(), Proof()
    for history in _histories(happenings):
        proof.add(history)
        done(history.deliveries)
        if proof.wrong is not None or proof.deliveries >= deliveries:
            break
    return _table(proof, happenings, time.perf_counter() - started)


def history(seed: int, happenings: int) -> History:
    """Run one history of so many happenings, and compare."""
    choices = (*HAPPENINGS, World.store_many, World.store_many)
    with consuming() as consume:
        outcome = run(Random(seed), HarshMemory(shards=SHARDS[seed % 2]), consume, happenings, choices)
    compared = sum(map(len, outcome.expected.values()))
    told = outcome.history
    return History(seed, outcome.found == outcome.expected, told.deliveries, told.invocations, compared, told.faults)


def _histories(happenings: int) -> Iterator[History]:
    """The histories of all seeds, in order; each process begins the next one while the last is being evaluated."""
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), quiet) as pool:
        seeds = count(FIRST_SEED)
        coming = [pool.submit(history, seed, happenings) for seed in islice(seeds, 2 * PROCESSES)]
        try:
            while True:
                yield coming.pop(0).result()
                coming.append(pool.submit(history, next(seeds), happenings))
        finally:
            for each in coming:
                each.cancel()


def quiet() -> None:
    """Keep the consumer of this process from writing logs or metrics."""
    logging.disable(logging.CRITICAL)
    redirect_stdout(Path(os.devnull).open("w")).__enter__()  # noqa: SIM115


def _table(proof: Proof, happenings: int, seconds: float) -> Table:
    result = "none" if proof.wrong is None else f"FAILED, seed {proof.wrong}"
    rows = [
        ("record deliveries", f"{proof.deliveries:,}"),
        ("invocations", f"{proof.invocations:,}"),
        ("numbers and rankings compared", f"{proof.compared:,}"),
        ("differences", result),
        (f"seconds, {PROCESSES} processes", f"{seconds:,.0f}"),
        *((f"fault: {fault}", f"{proof.faults[fault]:,}") for fault in Fault),
    ]
    seeds = f"{FIRST_SEED} to {FIRST_SEED + proof.seeds - 1}"
    return Table(
        "Proof: histories of all systems against an independent recount",
        ("", f"seeds {seeds}"),
        rows,
        (
            f"Each seed is one history of {happenings} events in memory (`tests/delivery/world.py`): sources "
            "stored, changed, removed, expired; releases that can't read some of them, quarantine, redrives.",
            "Faults are those of `delivery.HARSH`. What all shards feed waits for a window's end; every second history "
            "writes by statements, as on AWS.",
            f"Histories have {SHARDS[0]} or {SHARDS[1]} shards by turns: with many, windows come again, without their "
            "state, in shards in which nothing follows. Mappings are made anew.",
        ),
        failed=proof.wrong is not None,
    )
