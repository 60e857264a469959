"""The proof in numbers: a million record deliveries from histories of all systems, each compared with its recount."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from benchmarks.proofs.seeds import PROCESSES, lived, told
from benchmarks.report import Table
from delivery import HARSH, Fault
from tests.delivery.consuming import consuming
from tests.delivery.simulated import MAPPING, SimulatedMemory
from tests.delivery.world import HAPPENINGS, EndlessError, World, run

DELIVERIES = 1_000_000
HAPPENINGS_A_SEED = 300
# By turns: of many shards, most are quiet.
SHARDS = (2, 8)


class HarshMemory(SimulatedMemory):
    """Under HARSH and with states lost, in larger batches; shards live for several thousand records, as in reality."""

    mapping = replace(MAPPING, batch_size=100)
    faults = replace(HARSH, split=0.001, roll_over=0.005, state_lost=0.02, window_lost=0.3, doubled=0.02)


@dataclass(frozen=True)
class History:
    """The result of one seed's history; `exact`: everything equals the recount. `endless`: it came to no end."""

    seed: int
    exact: bool
    deliveries: int
    invocations: int
    compared: int
    faults: Counter[Fault]
    endless: bool = False

    @property
    def failed(self) -> bool:
        """Whether it shows something that must not happen."""
        return self.endless or not self.exact


@dataclass
class Proof:
    """All histories so far; `wrong` is the first seed whose numbers differ, `endless` that of a history without end."""

    seeds: int = 0
    deliveries: int = 0
    invocations: int = 0
    compared: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)
    wrong: int | None = None
    endless: int | None = None

    @property
    def failed(self) -> bool:
        """Whether it shows something that must not happen."""
        return self.wrong is not None or self.endless is not None

    def add(self, history: History) -> None:
        """Count one more history."""
        self.seeds += 1
        self.deliveries += history.deliveries
        self.invocations += history.invocations
        self.compared += history.compared
        self.faults += history.faults
        if history.endless:
            self.endless = history.seed
        elif not history.exact:
            self.wrong = history.seed


def measure(done: Callable[[int], None], deliveries: int = DELIVERIES, happenings: int = HAPPENINGS_A_SEED) -> Table:
    """Run histories, seed after seed, until this many records are delivered; ends at the first difference.

    Calls `done` with how many deliveries have been made since the last call. `happenings`: how many make a history.
    """
    started, proof = time.perf_counter(), Proof()
    for each in lived(history, happenings):
        proof.add(each)
        done(each.deliveries)
        if proof.failed or proof.deliveries >= deliveries:
            break
    return _table(proof, happenings, time.perf_counter() - started)


def history(seed: int, happenings: int = HAPPENINGS_A_SEED) -> History:
    """Run one history of so many happenings, and compare."""
    choices = (*HAPPENINGS, World.store_many, World.store_many)
    with consuming() as consume:
        table = HarshMemory(shards=SHARDS[seed % 2])
        try:
            outcome = run(Random(seed), table, consume, happenings, choices)
        except EndlessError:
            return History(seed, False, 0, 0, 0, Counter(), endless=True)
    compared = sum(map(len, outcome.expected.values()))
    ended, exact = outcome.history, outcome.found == outcome.expected
    return History(seed, exact, ended.deliveries, ended.invocations, compared, ended.faults)


def _table(proof: Proof, happenings: int, seconds: float) -> Table:
    differences, endless = ("none" if seed is None else f"FAILED, seed {seed}" for seed in (proof.wrong, proof.endless))
    rows = [
        ("record deliveries", f"{proof.deliveries:,}"),
        ("invocations", f"{proof.invocations:,}"),
        ("numbers and rankings compared", f"{proof.compared:,}"),
        ("differences", differences),
        ("histories without an end", endless),
        (f"seconds, {PROCESSES} processes", f"{seconds:,.0f}"),
        *((f"fault: {fault}", f"{proof.faults[fault]:,}") for fault in Fault),
    ]
    return Table(
        "Proof: histories of all systems against an independent recount",
        ("", told(proof.seeds)),
        rows,
        (
            f"Each seed is one history of {happenings} events in memory (`tests/delivery/world.py`): sources "
            "stored, changed, removed, expired; releases that can't read some of them, quarantine, redrives.",
            "Faults are those of `delivery.HARSH`. What all shards feed waits for a window's end; every second history "
            "writes by statements, as on AWS.",
            f"Histories have {SHARDS[0]} or {SHARDS[1]} shards by turns: with many, windows come again, without their "
            "state, in shards in which nothing follows. Mappings are made anew.",
            "What comes again for more than a day has no end.",
        ),
        failed=proof.failed,
    )
