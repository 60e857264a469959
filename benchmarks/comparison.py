"""The consumer and the baselines, on the same engine with the same input."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import engine, exactness
from benchmarks.baselines import add, idempotent
from benchmarks.baselines.add import Handler
from benchmarks.baselines.increments import one_edge
from benchmarks.consumer import Run, consume
from benchmarks.meter import Meter, Spent
from benchmarks.report import Table, per
from benchmarks.stream import Record, window_event
from benchmarks.workloads import Workload
from edgewise.dynamodb.table import chunks
from edgewise.stream.windows import BATCH

AIM_UNITS, AIM_SHARE, AIM_RATE = 0.5, 1 / 8, 1000
# The baselines cost the same for every record, so the first ones are enough.
BASELINE_RECORDS = 1_000
SMALLER_BATCHES = {100: 1_000, 10: 300, 1: 100}


@dataclass(frozen=True)
class Measured:
    """One method: what it spent on how many source records."""

    name: str
    records: int
    spent: Spent
    exact: str

    @property
    def units(self) -> float:
        """Write units for each record."""
        return self.spent.write_units / self.records

    @property
    def rate(self) -> float:
        """Records a second."""
        return self.records / self.spent.wall


@dataclass(frozen=True)
class Comparison:
    """A workload as processed by the consumer, by the baselines, and by the consumer with smaller batches."""

    workload: str
    ours: Measured
    add: Measured
    powertools: Measured
    smaller: Sequence[Measured]


def measure(workload: Workload, ours: Run, verdict: str, done: Callable[[int], None]) -> Comparison:
    """Process the beginning of the workload by the other methods; `ours` is the consumer's run of all of it."""
    records = ours.sources[:BASELINE_RECORDS]
    return Comparison(
        workload.name,
        Measured("ours", len(workload), ours.spent, verdict),
        _add(workload.name, records, done),
        _powertools(workload.name, records, done),
        [_batches_of(size, workload.first(count), done) for size, count in SMALLER_BATCHES.items()],
    )


def steps(workloads: int) -> int:
    """How many records `measure` works on, for the progress bar."""
    return workloads * (2 * BASELINE_RECORDS + sum(SMALLER_BATCHES.values()))


def table(comparisons: Sequence[Comparison]) -> Table:
    """Ours and the baselines, for each source record."""
    rows = []
    for compared in comparisons:
        for method in (compared.ours, compared.add, compared.powertools, compared.smaller[-1]):
            rows.append(_row(compared, method))
    return Table(
        f"Stream consumer, for each source record (batch {BATCH:,})",
        (
            "input, method",
            "records",
            "write units",
            "refused",
            "read units",
            "price",
            "requests",
            "CPU µs",
            "records/s",
            "",
        ),
        rows,
        (
            "Everything that a record causes is counted, in all ranks: edges come back through the stream.",
            "ours: edges, rollups, summaries with distinct counts, exactly once; measured on all records.",
            f"one ADD: a count on one edge only, far less work; the first {BASELINE_RECORDS:,} records.",
            "Powertools: the same ADD, with its batch processor and idempotency utility; the same records.",
            "all aggregates, one by one: our consumer with batches of one record. An ADD for each record and aggregate "
            "needs the same writes, without reads and carriers; but it can't keep minimum, maximum, first and last.",
            "price: write units plus a fifth of the read units (0.625 and 0.125 USD per million in us-east-1).",
            "refused: conditional writes that found another version; the price counts one unit for each.",
            "CPU: that of this process, without the engine.",
            "records/s: wall time, with the engine on the same cores.",
        ),
    )


def aims(comparisons: Sequence[Comparison], socket_cpu: float) -> Table:
    """The aims, and whether they are reached; `socket_cpu` is that of one request, in seconds."""
    rows = []
    for compared in comparisons:
        ours, powertools = compared.ours, compared.powertools
        share = ours.units / powertools.units
        by_cpu, code = ours.spent.cpu, ours.spent.cpu - ours.spent.requests * socket_cpu
        name = compared.workload
        rows += [
            _aim(
                f"{name}: write units per record", f"at most {AIM_UNITS}", f"{ours.units:.3f}", ours.units <= AIM_UNITS
            ),
            _aim(f"{name}: share of Powertools' write units", "at most 1/8", f"1/{1 / share:.1f}", share <= AIM_SHARE),
            _aim(f"{name}: share of one ADD's", "", f"1/{compared.add.units / ours.units:.1f}", None),
            _rate(f"{name}: records/s, engine on the same cores", ours.rate),
            _rate(f"{name}: records/s by our CPU alone", ours.records / by_cpu),
            _rate(f"{name}: the same without this machine's sockets, computed", ours.records / code),
        ]
    notes = (
        f"Sockets take {socket_cpu * 1e6:,.0f} µs of CPU per request on this machine: the difference between a small "
        "GetItem that is sent and one that is answered before it is sent.",
    )
    return Table("Aims of the consumer", ("", "aim", "measured", ""), rows, notes)


def coalescing(comparisons: Sequence[Comparison]) -> Table:
    """Write units by batch size: the savings come from records in one batch that share an aggregate."""
    sizes = [BATCH, *SMALLER_BATCHES]
    rows = [
        (compared.workload, *(f"{method.units:.2f}" for method in (compared.ours, *compared.smaller)))
        for compared in comparisons
    ]
    notes = ("Only the first records, except for the largest batch. Each batch is in a window of its own.",)
    return Table("Write units per record by batch size", ("", *(f"{size:,}" for size in sizes)), rows, notes)


def _add(name: str, records: Sequence[Record], done: Callable[[int], None]) -> Measured:
    target = engine.create(f"{name}-add")
    return _baseline("one ADD", target.client, add.handler(target, one_edge), records, done)


def _powertools(name: str, records: Sequence[Record], done: Callable[[int], None]) -> Measured:
    target = engine.create(f"{name}-powertools")
    return _baseline("Powertools", target.client, idempotent.handler(target, one_edge), records, done)


def _baseline(
    name: str,
    client: Any,
    handle: Handler,
    records: Sequence[Record],
    done: Callable[[int], None],
) -> Measured:
    meter = Meter()
    meter.watch(client)
    for batch in chunks(records, BATCH):
        with meter.measuring():
            handle(window_event(batch))
        done(len(batch))
    return Measured(name, len(records), meter.spent, "")


def _batches_of(size: int, workload: Workload, done: Callable[[int], None]) -> Measured:
    target = engine.create(f"{workload.name}-by-{size:03d}")
    spent = consume(target, workload, size, done).spent
    name = "all aggregates, one by one" if size == 1 else f"batch {size}"
    return Measured(name, len(workload), spent, exactness.verdict(target, workload))


def _row(compared: Comparison, method: Measured) -> tuple[str, ...]:
    spent, records = method.spent, method.records
    return (
        f"{compared.workload}, {method.name}",
        f"{records:,}",
        per(spent.write_units, records),
        per(spent.refused, records),
        per(spent.read_units, records),
        per(spent.price, records),
        per(spent.requests, records),
        f"{spent.cpu / records * 1e6:,.0f}",
        f"{method.rate:,.0f}",
        method.exact,
    )


def _rate(name: str, rate: float) -> tuple[str, ...]:
    return _aim(name, f"at least {AIM_RATE:,}", f"{rate:,.0f}", rate >= AIM_RATE)


def _aim(name: str, aim: str, measured: str, reached: bool | None) -> tuple[str, ...]:
    return name, aim, measured, {True: "reached", False: "MISSED", None: ""}[reached]
