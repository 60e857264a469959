"""How wrong each method's numbers become under at-least-once delivery, as bad as Lambda's may be."""

import datetime
import itertools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from aws_lambda_powertools.utilities.idempotency.persistence import base, datarecord, dynamodb

from benchmarks import edges, engine, verdicts
from benchmarks.baselines.add import Handler
from benchmarks.methods import BY_BATCH, ONE_BY_ONE, OURS, of_edges
from benchmarks.report import Table
from delivery import boto
from delivery.clock import Clock
from delivery.faults import HARSH, MILD, NONE, Faults
from delivery.mapping import Mapping as EventSourceMapping
from delivery.simulator import Simulator
from edgewise import clock as our_clock
from edgewise.stream import writer
from edgewise.times import SECOND

EDGES, SEED = 1_000, 20_131
LEVELS: Mapping[str, Faults] = {"clean": NONE, "mild": MILD, "harsh": HARSH}
METHODS = {name: of_edges()[name] for name in (*ONE_BY_ONE, *BY_BATCH, OURS)}
# Short batches, so that a short stream yields several hundred invocations.
MAPPING = EventSourceMapping(batch_size=20, tumbling_window=10, report_batch_item_failures=True)
_numbers = itertools.count()


def measure(done: Callable[[int], None]) -> Table:
    """Deliver the stream's beginning to every method at every level; calls `done` after each."""
    rows = []
    for name in METHODS:
        cells = []
        for level in LEVELS:
            cells.append(delivered(name, level, EDGES, SEED).text)
            done(1)
        rows.append((name, *cells))
    harsh = ", ".join(f"{name} {getattr(HARSH, name):g}" for name in ("repeated", "rewound", "killed_before"))
    return Table(
        "Drift: share of aggregates that end up wrong, and by how many edges in total",
        ("", *LEVELS),
        rows,
        (
            f"The first {EDGES:,} edges in batches of {MAPPING.batch_size}, delivered by `delivery.Simulator`, seed "
            f"{SEED}.",
            f"mild and harsh are its own `MILD` and `HARSH`; rates per invocation in harsh: {harsh}, and the same for "
            "killed after a write, answer lost, zombie, race, throttled, a write sent twice by the SDK.",
            "Powertools runs in simulated time, so its claims expire when they would in reality.",
        ),
        failed=any(name == OURS and any(text != verdicts.EXACT for text in texts) for name, *texts in rows),
    )


def delivered(name: str, level: str, count: int, seed: int) -> verdicts.Errors:
    """The errors of one method after one delivery."""
    written = edges.edges(count)
    method = METHODS[name]
    told, table = edges.stream(written, mirrored=method.mirrored), method.table(f"drift-{next(_numbers)}")
    with method.handler(table) as handle, _one_write_at_a_time(), _simulated_time(told.clock):
        simulator = Simulator(_windowed(handle), told, MAPPING, LEVELS[level], seed=seed)
        boto.install(table.client, simulator.writes)
        with engine.silenced():
            simulator.drain()
        boto.uninstall(table.client)
    return verdicts.errors(table, edges.recount(written))


def _windowed(handle: Handler) -> Callable[[dict[str, Any], Any], Mapping[str, Any]]:
    """Ours has a state, and gets a call at the window's end; a method that knows of no window needs neither."""
    return lambda event, _: {"state": {}, **(handle(event) if event["Records"] or event["state"] else {})}


@contextmanager
def _one_write_at_a_time() -> Iterator[None]:
    """Write one after the other: the simulator counts writes, so their order must not depend on threads."""
    with patch.object(writer, "WRITERS", 1):
        yield


@contextmanager
def _simulated_time(clock: Clock) -> Iterator[None]:
    """Run ours and Powertools' idempotency utility by the simulator's clock, so that no retry really waits."""
    now = lambda: datetime.datetime.fromtimestamp(clock.now)  # noqa: E731
    time: Any = SimpleNamespace(datetime=SimpleNamespace(now=now), timedelta=datetime.timedelta)
    ours = patch.object(our_clock, "now", lambda: int(clock.now * SECOND))
    with ours, patch.object(base, "dt", time), patch.object(dynamodb, "dt", time), patch.object(datarecord, "dt", time):
        yield
