"""All methods of maintaining the same numbers, side by side: what a record costs, by batch size."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks import by_hand, edges, engine, exactness, verdicts
from benchmarks.consumer import consume
from benchmarks.measured import Cost, cost, peak_memory
from benchmarks.methods import BY_BATCH, EVERYTHING, ONE_BY_ONE, OURS, RANKINGS, of_edges, of_items
from benchmarks.report import Table, per
from benchmarks.stream import insertions
from benchmarks.workloads import Workload
from edgewise.aggregates.rankings.floor import TOP

BATCHES = (100, 1_000)
ITEMS = 4_000
# A method that goes record by record pays the same for each, at any batch size; so the first ones are enough.
FEW = 500
COLUMNS = (
    *("input, method", "batch", "write units", "refused", "read units", "price", "requests"),
    *("CPU µs", "wall µs", "peak KB", ""),
)
Done = Callable[[int], None]


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    name: str
    batch: str
    cost: Cost
    verdict: str

    @property
    def row(self) -> tuple[str, ...]:
        """The cells, per record; of edges, per edge."""
        spent, records = self.cost.spent, self.cost.records
        units = (spent.billed, spent.refused, spent.read_units, spent.price, spent.requests)
        times = (f"{seconds / records * 1e6:,.0f}" for seconds in (spent.cpu, spent.wall))
        counted = (per(number, records) for number in units)
        return self.name, self.batch, *counted, *times, f"{self.cost.memory / 1024:.1f}", self.verdict


def measure(weather: Workload, chat: Workload, done: Done) -> Table:
    """Feed every workload to every method; calls `done` with the number of records handled."""
    of_items = (*_of_items(weather.first(ITEMS), done), *_of_items(chat.first(ITEMS), done))
    lines = [*_of_edges(done), *of_items, *_of_fleet(done)]
    return Table(
        "Side by side, for each source record",
        COLUMNS,
        [line.row for line in lines],
        (
            f"edges: {edges.EDGES:,} edges of a generated graph (seed {edges.SEED}) in {edges.SHARDS} shards; number "
            "and sum of weights for each node and direction: two aggregates per edge. For ours, an edge is two "
            "records: itself and its mirror. For the others, one record says both.",
            "ours, ranked twice: as deployed, with every node in two rankings (by number and by weight); exact "
            f"also means that the first {TOP} of each, read as the API reads them, are those of a recount.",
            "ours: what waits is written at the end of a window of 50 batches, or with the last one.",
            "`ADD` with checkpoints: coalesced, with a checkpoint per shard in each item: the minimum for exactness.",
            "shards at once: one invocation per shard at a time, without a pause; all others: one at a time.",
            f"weather, chat: the first {ITEMS:,}. The baselines keep counts and sums of what a record itself feeds, "
            "ours minimum, maximum, first, last and distinct counts too.",
            "fleet: each device once in a batch. by hand: a count and a sum for each metric, in an item for each "
            "device and hour. At the end the first batch came once more.",
            f"any: record by record, the same at any batch size; the first {FEW:,}.",
            "The baselines use boto3's default client, ours the client as the project configures it.",
            "write units: a refused conditional write counts as one; a transaction as two per item (modelled, because "
            "DynamoDB Local reports too few). price: as above.",
            "peak KB: Python objects per record while the first batch is handled, without the event.",
            "CPU: 1,000 µs cost about as much as 0.05 write units (a processor second on Lambda costs 0.0000288 USD).",
        ),
        failed=any(OURS in line.name and line.verdict != verdicts.EXACT for line in lines),
    )


def steps() -> int:
    """How many records `measure` works on, for the progress bar."""
    records = sum(1 + method.mirrored for name, method in of_edges().items() if name not in ONE_BY_ONE)
    by_batch = len(BATCHES) * records * edges.EDGES
    return by_hand.steps() + by_batch + 2 * len(BATCHES) * (1 + len(BY_BATCH)) * ITEMS + 3 * len(ONE_BY_ONE) * FEW


def _of_edges(done: Done) -> Iterator[Line]:
    for name, method in of_edges().items():
        written = edges.edges(FEW if name in ONE_BY_ONE else edges.EDGES)
        shards, facts = edges.shards(edges.stream(written, mirrored=method.mirrored)), edges.recount(written)
        for batch in _batches(name):
            spent, table = cost(_table_name("edges", name, batch), method, shards, batch, done)
            ranked = edges.LABEL if name in RANKINGS else None
            of_each = replace(spent, records=len(written))
            yield Line(f"edges, {name}", _text(name, batch), of_each, verdicts.verdict(table, facts, ranked))


def _of_items(workload: Workload, done: Done) -> Iterator[Line]:
    records = insertions(workload.items)
    for name, method in of_items().items():
        shard = records[:FEW] if name in ONE_BY_ONE else records
        for batch in _batches(name):
            spent, _ = cost(_table_name(workload.name, name, batch), method, [shard], batch, done)
            yield Line(f"{workload.name}, {name}", _text(name, batch), spent, "")
    for batch in BATCHES:
        table = engine.create(_table_name(workload.name, OURS, batch))
        run = consume(table, workload, batch, done)
        memory = peak_memory(f"{table.name}-memory", EVERYTHING, records[:batch])
        verdict = exactness.verdict(table, workload)
        yield Line(f"{workload.name}, {OURS}", f"{batch:,}", Cost(len(workload), run.spent, memory), verdict)


def _of_fleet(done: Done) -> Iterator[Line]:
    for each in by_hand.measure(done):
        yield Line(f"fleet, {each.name}", f"{each.batch:,}", each.cost, each.verdict)


def _batches(name: str) -> Sequence[int]:
    return BATCHES[1:2] if name in ONE_BY_ONE else BATCHES


def _text(name: str, batch: int) -> str:
    return "any" if name in ONE_BY_ONE else f"{batch:,}"


def _table_name(workload: str, name: str, batch: int) -> str:
    return re.sub("[^a-z0-9]+", "-", f"side {workload} {name} {batch}".lower())
