"""One way measured: the batches of all shards through a handler, in turn, as they would come."""

import itertools
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.meter import Meter, Spent
from benchmarks.stream import Record, window_event
from benchmarks.ways import Way
from functions.store.table import Table, chunks

Lanes = Sequence[Sequence[Record]]


@dataclass(frozen=True)
class Cost:
    """What a way spent for how many records, and the peak of its memory in bytes a record of the first batch."""

    records: int
    spent: Spent
    memory: float


def cost(name: str, way: Way, lanes: Lanes, batch: int, done: Callable[[int], None]) -> tuple[Cost, Table]:
    """Handle all records, into a new table, and the first batch once more for its memory, into another."""
    table, meter = way.table(name), Meter()
    meter.watch(table.client)
    with way.handler(table) as handle:
        for shard, records in turns(lanes, batch):
            event = window_event(records, shard)
            with meter.measuring():
                handle(event)
            done(len(records))
    return Cost(sum(map(len, lanes)), meter.spent, peak_memory(f"{name}-memory", way, lanes[0][:batch])), table


def turns(lanes: Lanes, batch: int) -> list[tuple[str, Sequence[Record]]]:
    """The batches with their shards: the first of each, then the second of each."""
    rounds = itertools.zip_longest(*(chunks(lane, batch) for lane in lanes))
    return [(f"shardId-{lane}", records) for each in rounds for lane, records in enumerate(each) if records]


def peak_memory(name: str, way: Way, records: Sequence[Record]) -> float:
    """Bytes of Python's objects for each record while a batch is handled, without the event."""
    with way.handler(way.table(name)) as handle:
        event = window_event(records)
        tracemalloc.start()
        handle(event)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak / len(records)
