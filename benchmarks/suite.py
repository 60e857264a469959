"""All benchmarks, one after the other."""

from rich.console import Console

from benchmarks import coldstart, comparison, engine, exactness, ingestion, reads, report
from benchmarks.consumer import BATCH, consume
from benchmarks.report import Table
from benchmarks.workloads import Workload, chat, weather
from functions.store import table as store
from local.phases import Phases


def run(console: Console, command: str, whole_chat: bool) -> None:
    """Measure everything, print the tables and write the document."""
    phases = Phases(console)
    with phases("read the input files"):
        workloads = (weather(), chat(whole_chat))
    table = engine.create("edgewise")
    comparisons = _consumer(phases, table, workloads)
    with phases(f"ingestion, {ingestion.REQUESTS} requests of each kind", ingestion.WAYS) as done:
        ingested = ingestion.measure(*workloads, done)
    with phases("reads"):
        read = reads.measure(table, workloads[1])
    with phases("cold starts", len(coldstart.HANDLERS) * coldstart.STARTS) as done:
        started = coldstart.measure(done)
    phases.end()
    consumer = [comparison.aims(comparisons), comparison.table(comparisons), comparison.coalescing(comparisons)]
    _publish(console, command, [*consumer, ingested, read, started])


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


def _publish(console: Console, command: str, tables: list[Table]) -> None:
    for table in tables:
        report.show(console, table)
    report.write(tables, command)
    console.print(f"written to {report.DOCUMENT.relative_to(report.DOCUMENT.parents[1])}", highlight=False)
