"""Fills in the summaries of a graph from a full export, on Apache Spark.

spark-submit batch/graph/job.py --run RUN --bucket s3://BUCKET --full PREFIX --out PREFIX [--neptune]

Spark reads the export, and spreads the work on the nodes over its processes; what is computed of them is plain Python.
"""

import json
import sys
from array import array
from collections.abc import Iterator
from functools import partial
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any

from pyspark.sql import SparkSession

from batch import distributed, exports, results
from batch.distributed import Distributed, SparkBucket
from batch.graph import edges, ends, neptune
from batch.graph.components import components
from batch.graph.lines import NODES, Whole, lines
from batch.graph.ranks import Numbers, arriving, ranks
from batch.graph.skeleton import Graph
from batch.graph.summary import summary
from batch.job import Job
from batch.reconcile import Tell
from batch.spark import application, arguments

if TYPE_CHECKING:
    from pyspark import RDD, Broadcast, SparkContext

    from edgewise.dynamodb.attributes import Item

# Ranges of nodes for each process: nodes differ in how much work they are.
PIECES = 4
# One invocation of a function publishes a file.
NODES_A_FILE = 10_000
# The least number of edges for which a process is worth a message in each round of the ranks; fewer are added up here.
EDGES_A_ROUND = 1_000_000


def run(bucket: SparkBucket, job: Job, tell: Tell, *, with_neptune: bool = False) -> dict[str, Any]:
    """Read the export, write a line for each node, and return the summary, which is written last.

    `tell` is told of the progress. Raises TornExportError, or what Spark makes of one.
    """
    begun, context = monotonic(), bucket.context
    export = exports.opened(bucket.read, job.full)
    items = distributed.rdd(bucket.files(export).flat_map(ends.items))
    read = edges.read(SparkSession.builder.getOrCreate(), items)
    tell(f"read {len(read.graph.nodes):,} nodes and {len(read.graph.out.ends):,} edges")
    shared = context.broadcast(read.graph)
    ranked = _ranks(context, shared)
    tell("ranked the nodes")
    whole = Whole.of(ranked, components(read.graph))
    tell("found the components")
    for folder, written in _written(context, items if with_neptune else None, shared, whole):
        bucket.write_lines(f"{job.out}/{folder}", Distributed(written))
        tell(f"wrote {folder}")
    told = summary(job.run, export, read, whole, monotonic() - begun)
    bucket.write(f"{job.out}/{results.SUMMARY}", json.dumps(told).encode())
    return told


def _written(
    context: "SparkContext", for_neptune: "RDD[Item] | None", shared: "Broadcast[Graph]", whole: Whole
) -> Iterator[tuple[str, "RDD[str]"]]:
    """The lines for each folder; those for Neptune if there are items for it."""
    files = max(context.defaultParallelism * PIECES, len(shared.value.nodes) // NODES_A_FILE)
    known, pieces = context.broadcast(whole), shared.value.cut(files)
    nodes = context.parallelize(pieces, max(len(pieces), 1))
    yield NODES, nodes.flatMap(lambda some: lines(shared.value, known.value, some))
    if for_neptune is not None:
        yield "neptune/nodes", nodes.flatMap(lambda some: neptune.nodes(shared.value, known.value, some))
        yield "neptune/edges", for_neptune.mapPartitions(neptune.edges)


def _ranks(context: "SparkContext", shared: "Broadcast[Graph]") -> Numbers:
    """The rank of each node: in each round, every process adds up what arrives at some of them."""
    graph = shared.value
    pieces = graph.cut(min(context.defaultParallelism, len(graph.out.ends) // EDGES_A_ROUND))

    def step(sent: Numbers) -> Numbers:
        told = context.broadcast(sent)
        arrived = context.parallelize(pieces, len(pieces)).map(
            lambda some: arriving(shared.value.back, some, told.value)
        )
        found = array("d", chain.from_iterable(arrived.collect()))
        told.destroy()
        return found

    return ranks(graph, step if len(pieces) > 1 else partial(arriving, graph.back, graph.nodes))


def main() -> int:
    """Run as the command line says."""
    parser = arguments(__doc__)
    parser.add_argument("--neptune", action="store_true", help="write the graph for Neptune's bulk loader too")
    given = parser.parse_args()
    with application(f"fill {given.run}", given.bucket) as bucket:
        job = Job(given.run, given.full, None, given.out)
        told = run(bucket, job, print, with_neptune=given.neptune)
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
