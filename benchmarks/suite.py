"""All benchmarks, one after the other."""

import os

from rich.console import Console

from benchmarks import (
    catch_up,
    coldstart,
    comparison,
    drift,
    engine,
    exactness,
    fleet,
    ingestion,
    large,
    levels,
    many,
    network,
    pages,
    report,
    side_by_side,
)
from benchmarks.consumer import consume
from benchmarks.partitions import page
from benchmarks.partitions.tables import tables as hot_keys
from benchmarks.workloads import Workload, chat, weather
from edgewise.dynamodb import table as store
from edgewise.stream.windows import BATCH
from ops.paths import ROOT
from ops.phases import Phases


def run(console: Console, command: str, whole: bool) -> bool:
    """Measure everything, print the tables and write the document; returns whether nothing failed."""
    phases, load = Phases(console), os.getloadavg()[0]
    # First what takes seconds: whatever is broken shows early.
    with phases("cold starts", len(coldstart.HANDLERS) * coldstart.STARTS) as done:
        started = coldstart.measure(engine.create("cold-start").name, done)
    with phases("read the input files"):
        workloads = (weather(), chat(whole))
    table = engine.create("edgewise")
    comparisons = _consumer(phases, table, workloads)
    with phases("a fleet"):
        unfolded = fleet.measure(fleet.CASES | (fleet.MORE if whole else {}))
    with phases("catch-up"):
        behind = catch_up.measure(workloads[0], chat(whole=True))
    with phases("the sockets' share"):
        socket_cpu = network.cpu_a_request()
    with phases("side by side", side_by_side.steps()) as done:
        compared = side_by_side.measure(*workloads, done)
    with phases("drift", len(drift.METHODS) * len(drift.LEVELS)) as done:
        drifted = drift.measure(done)
    with phases("large events", large.CASES) as done:
        great = large.measure(done)
    with phases(f"ingestion, {ingestion.REQUESTS} requests of each kind", ingestion.METHODS) as done:
        ingested = ingestion.measure(*workloads, done)
    with phases("growth", many.steps(whole=whole)) as done:
        grown = many.measure(done, whole=whole)
    with phases("states of neighbours"):
        told = levels.table(levels.measure(hubs=(levels.HUB,) if whole else ()))
    with phases("hot keys, simulated"):
        hot = hot_keys()
    phases.end()
    consumer = [
        comparison.aims(comparisons, socket_cpu),
        comparison.table(comparisons),
        comparison.coalescing(comparisons),
        unfolded,
        behind,
    ]
    tables = [*consumer, compared, drifted, great, ingested, grown, told, started]
    for each in [*tables, *hot.values()]:
        report.show(console, each)
    head = (
        f"# Benchmarks\n\nWritten by `{command}` {report.made()}.",
        f"The engine is DynamoDB Local on the same cores, whose load was {load:.1f} before the start. "
        "Units and requests are the same on any machine, times are not.",
        "Hot keys, partition by partition: [hot-keys.md](hot-keys.md). That numbers are exact: [proof.md](proof.md). "
        "Other ways to count: [other-services.md](other-services.md). A stranger's path: [breaking.md](breaking.md).",
    )
    report.write(report.DOCUMENT, head, tables)
    page.write(hot)
    pages.write()
    written = (report.DOCUMENT, page.PAGE, *pages.PAGES)
    console.print("written to", *(f"{each.relative_to(ROOT)}" for each in written), highlight=False)
    return not any(each.failed for each in tables)


def _consumer(phases: Phases, table: store.Table, workloads: tuple[Workload, Workload]) -> list[comparison.Comparison]:
    runs = []
    for workload in workloads:
        name = f"consumer, {workload.name}: {len(workload):,} records, batch {BATCH:,}"
        with phases(name, len(workload)) as fed:
            runs.append(consume(table, workload, BATCH, fed))
    with phases("recount"):
        verdict = exactness.verdict(table, *workloads)
    with phases("baselines, smaller batches", comparison.steps(len(workloads))) as done:
        return [comparison.measure(workload, ran, verdict, done) for workload, ran in zip(workloads, runs, strict=True)]
