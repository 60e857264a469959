"""A lane that is behind: how fast the consumer works off a backlog, and for how long its readers see old numbers."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from benchmarks import backlog, edges, engine
from benchmarks.backlog import HOUR, MINUTE, RATE, Assumed, Lane, told
from benchmarks.consumer import Run, feed
from benchmarks.report import Table, per
from benchmarks.workloads import Fleet, Workload, about_now
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import chunks
from edgewise.stream.windows import BATCH
from edgewise.stream.writer import WRITERS
from functions.systems.graph import codec as graph_codec

# Ten minutes at a shard's full rate; of these, as many as can be written and worked off in so many seconds.
BACKLOG, SECONDS = int(10 * MINUTE * RATE), 60.0
# A fleet's readings are of the last hour: older ones would not be about now when they are recorded.
MINUTES = 60
# What a request to DynamoDB takes within a region: assumed.
ASSUMED = Assumed(read=0.005, write=0.005, threads=WRITERS)
TITLE = "Catch-up, for each record of a backlog"
COLUMNS = (
    *("input", "measured", "CPU µs", "read requests", "write requests", "wait µs", "records/s"),
    *("an hour's backlog", "in two shards", "in four", "an hour later", "lost"),
)


def measure(weather: Workload, chat: Workload, seconds: float = SECONDS) -> Table:
    """Work off the beginning of each workload's backlog."""
    rows = [_row(name, _worked_off(name, items, seconds)) for name, items in _backlogs(weather, chat).items()]
    return Table(TITLE, COLUMNS, rows, _notes())


def _backlogs(weather: Workload, chat: Workload) -> Mapping[str, Iterable[Sequence[Item]]]:
    """The source items of each workload, batch by batch."""
    written = [item for edge in edges.edges() for item in graph_codec.edge_items(edge)]
    return {
        "fleet": (Fleet(BATCH, metrics=2).round(minute, about_now()).items for minute in range(MINUTES)),
        "edges": chunks(written, BATCH),
        weather.name: _batches(weather),
        chat.name: _batches(chat),
    }


def _batches(workload: Workload) -> Iterator[Sequence[Item]]:
    return (each.items for each in islice(workload.batches(BATCH), BACKLOG // BATCH))


def _worked_off(name: str, batches: Iterable[Sequence[Item]], seconds: float) -> Run:
    return feed(engine.create(f"catch-up-{name}"), _while_time(batches, seconds), BATCH)


def _while_time(batches: Iterable[Sequence[Item]], seconds: float) -> Iterator[Sequence[Item]]:
    until = time.monotonic() + seconds
    for batch in batches:
        yield batch
        if time.monotonic() > until:
            return


def _row(name: str, run: Run) -> tuple[str, ...]:
    spent, records = run.spent, len(run.sources)
    lane = Lane(spent.cpu / records, spent.reads / records, (spent.requests - spent.reads) / records)
    rate = lane.rate(ASSUMED)
    return (
        name,
        f"{records:,}",
        f"{lane.cpu * 1e6:,.0f}",
        per(spent.reads, records),
        per(spent.requests - spent.reads, records),
        f"{lane.wait(ASSUMED) * 1e6:,.0f}",
        f"{rate:,.0f}",
        *times(rate),
    )


def times(rate: float) -> tuple[str, ...]:
    """What follows from a lane's records a second: how long it is behind, split or not, and how far."""
    return (
        *(told(backlog.worked_off(HOUR, rate, share)) for share in (1, 1 / 2, 1 / 4)),
        told(backlog.behind_after(HOUR, HOUR, rate)),
        told(backlog.lost_after(HOUR, rate)),
    )


def _notes() -> tuple[str, ...]:
    return (
        f"Measured: CPU (process time) and requests of one lane, in batches of {BATCH:,}, as the mapping asks for.",
        f"Ten minutes at a shard's full rate, {RATE:,} records a second, are {BACKLOG:,} records. *measured* of "
        f"them: as many as the input has, or as {SECONDS:,.0f} s allow. Computed for the rest.",
        f"Assumed: {ASSUMED.read * 1e3:g} ms a read request and {ASSUMED.write * 1e3:g} ms a write request, one at a "
        f"time in each of {ASSUMED.threads} threads: that is *wait*. Nothing was measured on AWS.",
        "records/s, computed: CPU and wait one after the other, with all that a record causes.",
        f"an hour's backlog: how long a lane that is an hour behind takes, while its shard brings {RATE:,} records a "
        "second. in two shards, in four: the same if the shard splits when it is an hour behind.",
        "an hour later: how far behind readers then see its numbers, without a split. lost: when the backlog meets the "
        "24 hours for which the stream keeps records.",
        f"fleet: {BATCH:,} devices, each once in a batch, a minute apart, their first readings included. edges: ranked "
        "twice.",
    )
