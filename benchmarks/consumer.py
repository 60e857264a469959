"""The stream consumer itself, fed from a table's stream: its own writes come back to it too, as in reality."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.deployment import working_on
from benchmarks.engine import Context, silenced
from benchmarks.meter import Meter, Spent
from benchmarks.stream import Record, RecordedStream, source_type, window_event
from benchmarks.workloads import Workload
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import WRITES_PER_BATCH, Table, chunks
from functions.handlers import edge_aggregator

SOURCES = frozenset({"EVENT", "MESSAGE", "GRAPH_EDGE", "GRAPH_EDGE_IN"})


@dataclass(frozen=True)
class Run:
    """What a workload cost, including everything that it caused; `sources` are its stream records."""

    spent: Spent
    sources: list[Record]


def consume(table: Table, workload: Workload, batch: int, fed: Callable[[int], None] = lambda _: None) -> Run:
    """Write the workload into the table and let the handler absorb the stream until nothing is left."""
    return feed(table, chunks(workload.items, max(batch, WRITES_PER_BATCH)), batch, fed)


def feed(
    table: Table, written: Iterable[Sequence[Item]], batch: int, fed: Callable[[int], None] = lambda _: None
) -> Run:
    """The same with source items that are written so many at a time.

    All batches but the last ones are full: the writer stays ahead. Calls `fed` with how many more items were written.
    """
    meter, stream, sources = Meter(), RecordedStream(table), list[Record]()

    def absorb(records: list[Record]) -> None:
        sources.extend(record for record in records if source_type(record) in SOURCES)
        _handle(meter, window_event(records))

    with working_on(table.name):
        meter.watch(edge_aggregator.table().client)
        stream.watch(edge_aggregator.table().client)
        for chunk in written:
            stream.write(chunk)
            while len(stream) >= batch:
                absorb(stream.take(batch))
            fed(len(chunk))
        while records := stream.take(batch):
            absorb(records)
    return Run(meter.spent, sources)


def _handle(meter: Meter, event: dict[str, Any]) -> None:
    context: Any = Context()
    with silenced(), meter.measuring():
        edge_aggregator.handler(event, context)
