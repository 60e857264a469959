"""Input that doesn't fold: each reading of a batch comes from another device, as in a large fleet."""

from benchmarks import engine
from benchmarks.consumer import BATCH, Run, consume
from benchmarks.report import Table, per
from benchmarks.workloads import Workload, fleet

# Batches have these sizes, and there are as many devices; each reports so many times after its first reading.
ROUNDS = {BATCH: 3, 100: 10, 10: 20, 1: 20}
TITLE = "A fleet, for each reading by batch size"
COLUMNS = ("readings in a batch", "measured", "write units", "read units", "requests", "CPU µs", "readings/s")


def measure() -> Table:
    """What the consumer spends on readings of devices that have reported before."""
    notes = (
        "As many devices as a batch has readings: nothing of a device folds. 10 devices a place, 10 places a region.",
        "A device's readings are an hour apart. Its first one, which makes its items, is not measured: it is the "
        "difference between two runs.",
        "readings/s: wall time, with the engine on the same cores.",
    )
    return Table(TITLE, COLUMNS, [_row(size, rounds) for size, rounds in ROUNDS.items()], notes)


def _row(size: int, rounds: int) -> tuple[str, ...]:
    workload, count = fleet(size, 1 + rounds), size * rounds
    first = _consumed(workload.first(size), size, "first").spent
    spent = _consumed(workload, size, "all").spent
    return (
        f"{size:,}",
        f"{count:,}",
        per(spent.write_units - first.write_units, count),
        per(spent.read_units - first.read_units, count),
        per(spent.requests - first.requests, count),
        f"{(spent.cpu - first.cpu) / count * 1e6:,.0f}",
        f"{count / (spent.wall - first.wall):,.0f}",
    )


def _consumed(workload: Workload, size: int, name: str) -> Run:
    return consume(engine.create(f"fleet-{size}-{name}"), workload, size)
