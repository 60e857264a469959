"""The same as the job, without Spark, in one process: for the local cloud, and for tables with a small graph."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from time import monotonic
from typing import Any

from batch import exports, results
from batch.exports import Part
from batch.folders import Folder
from batch.graph.components import components
from batch.graph.ends import items
from batch.graph.gathered import gathered
from batch.graph.lines import NODES, Whole, lines
from batch.graph.ranks import arriving, ranks
from batch.graph.skeleton import Read
from batch.graph.summary import summary
from batch.job import Job


def run(folder: Folder, job: Job) -> dict[str, Any]:
    """Write a line for each node, in the layout of the job, and return the summary; raises TornExportError."""
    begun = monotonic()
    export = exports.opened(folder.read, job.full)
    (read,) = folder.files(export).flat_map(_read).all()
    graph = read.graph
    whole = Whole.of(ranks(graph, partial(arriving, graph.back, graph.nodes)), components(graph))
    results.write_lines(folder.write, f"{job.out}/{NODES}", lines(graph, whole, graph.nodes))
    told = summary(job.run, export, read, whole, monotonic() - begun)
    folder.write(f"{job.out}/{results.SUMMARY}", json.dumps(told).encode())
    return told


def _read(files: Iterable[tuple[Part, bytes]]) -> Iterator[Read]:
    """The graph of all files: in one process, they are one part."""
    yield gathered(items(files))
