"""A fleet beside what one would write for it by hand: an item for each device and hour, by coalesced `ADD`.

Both get their first batch once more at the end, as Lambda may deliver it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks import engine, exactness
from benchmarks.baselines import coalesced
from benchmarks.baselines.add import Handler
from benchmarks.baselines.increments import COUNT, device_hours, hour_of
from benchmarks.consumer import consume
from benchmarks.measured import Cost, cost, peak_memory
from benchmarks.methods import EVERYTHING, OURS, Method
from benchmarks.stream import Record, insertions, window_event
from benchmarks.workloads import Fleet, Workload, about_now
from edgewise.dynamodb.attributes import number
from edgewise.dynamodb.table import Table
from edgewise.times import millis, parse_instant

BATCHES, ROUNDS = (100, 1_000), 3
NAME = "by hand, `ADD` per device and hour"
Done = Callable[[int], None]


@dataclass(frozen=True)
class Result:
    """What a method spent on batches of this size, and whether its numbers are right after the repeated batch."""

    name: str
    batch: int
    cost: Cost
    verdict: str


def measure(done: Done) -> Iterator[Result]:
    """Feed a fleet to both, in batches in which each device is once; calls `done` with records handled."""
    for batch in BATCHES:
        yield _by_hand(batch, done)
        yield _ours(batch, done)


def steps() -> int:
    """How many records `measure` works on."""
    return sum(BATCHES) * (ROUNDS + (ROUNDS + 1) + 1)


def verdict(table: Table, workload: Workload) -> str:
    """How many of the items by hand don't have as many readings as the workload."""
    read = Counter(hour_of(each.device, millis(parse_instant(each.at))) for each in workload.readings)
    found = table.get_many(list(read), consistent=True)
    wrong = sum(number(found[key][COUNT]) != count for key, count in read.items())
    return f"no: {wrong:,} of {len(found):,} wrong" if wrong else "exact"


@contextmanager
def _handler(table: Table) -> Iterator[Handler]:
    yield coalesced.handler(table, device_hours)


_METHOD = Method(_handler, engine.plain_client)


def _by_hand(batch: int, done: Done) -> Result:
    workload = Fleet(batch, metrics=2).rounds(range(ROUNDS), about_now())
    records = insertions(workload.items)
    spent, table = cost(f"by-hand-{batch}", _METHOD, [records], batch, done)
    _deliver(_METHOD, table, records[:batch])
    return Result(NAME, batch, spent, verdict(table, workload))


def _ours(batch: int, done: Done) -> Result:
    """What the first reading of each device takes, which makes its items, is left out."""
    workload = Fleet(batch, metrics=2).rounds(range(1 + ROUNDS), about_now())
    first = consume(engine.create(f"beside-by-hand-{batch}-first"), workload.first(batch), batch, done)
    table = engine.create(f"beside-by-hand-{batch}")
    run = consume(table, workload, batch, done)
    memory = peak_memory(f"{table.name}-memory", EVERYTHING, insertions(workload.first(batch).items))
    _deliver(EVERYTHING, table, run.sources[:batch])
    spent = Cost(ROUNDS * batch, run.spent - first.spent, memory)
    return Result(OURS, batch, spent, exactness.verdict(table, workload))


def _deliver(method: Method, table: Table, records: Sequence[Record]) -> None:
    with method.handler(table) as handle, engine.silenced():
        handle(window_event(records))
