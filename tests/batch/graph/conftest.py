"""Each graph in turn, and the job on an export of it."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from batch import exports
from batch.folders import Folder
from batch.graph import in_process
from batch.job import Job
from edgewise.dynamodb.attributes import Item
from functions.systems.graph import codec
from functions.systems.graph.entity import Node
from tests.batch.graph.graphs import GRAPHS, Known

RUN, INSTANT = "20261123T054100Z", "2026-11-23T05:41:00.000Z"
FULL, RESULT = f"runs/{RUN}/full/AWSDynamoDB/01", f"runs/{RUN}/result"
JOB = Job(RUN, FULL, None, RESULT)
ITEMS_A_FILE = 40


@pytest.fixture(params=GRAPHS)
def each(request: pytest.FixtureRequest) -> Known:
    """A graph, and what networkx knows of it."""
    return GRAPHS[request.param]


def items(of: Known) -> Iterator[Item]:
    """What a table holds of a graph, beside an item that is no part of it."""
    yield {"PK": {"S": "ROOM#1"}, "SK": {"S": "EDGE#"}, "Type": {"S": "ROOM"}}
    yield from (codec.node_item(Node(node, 1)) for node in of.nodes)
    yield from chain.from_iterable(map(codec.edge_items, of.edges))


@dataclass(frozen=True)
class Bucket:
    """A folder that stands for a bucket: an export of some items goes in, the results of the job come out."""

    path: Path

    def export(self, content: Iterable[Item]) -> None:
        lines = map(exports.full_line, content)
        exports.written(self.folder.write, FULL, [INSTANT], lines, ITEMS_A_FILE)

    @property
    def folder(self) -> Folder:
        return Folder(self.path)

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    def lines(self, folder: str) -> list[str]:
        files = sorted((self.path / RESULT / folder).glob("part-*.gz"))
        return [line for file in files for line in gzip.decompress(file.read_bytes()).decode().split("\n")[:-1]]

    @property
    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.path / RESULT / "summary.json").read_text())
        return found


@pytest.fixture
def bucket(tmp_path: Path) -> Bucket:
    """Its exports have several files."""
    return Bucket(tmp_path)


@pytest.fixture
def fill_here(bucket: Bucket) -> Callable[..., Any]:
    """The job without Spark."""
    return lambda: in_process.run(bucket.folder, JOB)


@pytest.fixture
def fill(spark: Any, bucket: Bucket) -> Callable[..., Any]:
    """The job, in this process."""
    from batch.distributed import SparkBucket
    from batch.graph import job

    def run(**options: bool) -> Any:
        return job.run(SparkBucket(spark.sparkContext, bucket.uri), JOB, lambda _: None, **options)

    return run
