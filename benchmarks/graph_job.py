"""What the graph's job takes, step by step: `.venv-spark/bin/python -m benchmarks.graph_job EDGES`, run by hand.

The graph has a fifth as many nodes as edges, and a hub to which up to 100,000 of the edges lead.
"""

import random
import sys
import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

from pyspark.sql import SparkSession

from batch import exports
from batch.distributed import SparkBucket
from batch.folders import Folder
from batch.graph import job
from batch.job import Job
from benchmarks.processes import Steps
from edgewise.dynamodb.attributes import Item
from functions.systems.graph import codec
from functions.systems.graph.entity import GraphEdge, NodeId

PREFIX, INSTANT = "AWSDynamoDB/1", "2026-11-23T00:00:00.000Z"
HUB = 100_000
ITEMS_A_FILE = 100_000


def items(edges: int) -> Iterator[Item]:
    """A random graph with a hub, always the same."""
    dice = random.Random(1)
    nodes = [NodeId("person", f"p{number}") for number in range(edges // 5)]
    for node in nodes[1 : HUB + 1]:
        yield from codec.edge_items(GraphEdge(node, "FOLLOWS", nodes[0], Decimal(1)))
    for number in range(edges - min(HUB, len(nodes) - 1)):
        one, other = dice.choice(nodes), dice.choice(nodes)
        yield from codec.edge_items(GraphEdge(one, f"KNOWS {number % 3}", other, Decimal(dice.randrange(1_000)) / 100))


def measure(edges: int) -> None:
    """Write an export of such a graph, and run the job on it."""
    with tempfile.TemporaryDirectory() as folder:
        lines = map(exports.full_line, items(edges))
        exports.written(Folder(Path(folder)).write, PREFIX, [INSTANT], lines, ITEMS_A_FILE)
        steps = Steps()
        spark = SparkSession.builder.config("spark.ui.enabled", "false").getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        steps.tell("started Spark")
        bucket = SparkBucket(spark.sparkContext, Path(folder).as_uri())
        print(job.run(bucket, Job("benchmark", PREFIX, None, "out"), steps.tell, with_neptune=True))


if __name__ == "__main__":
    measure(int(sys.argv[1]))
