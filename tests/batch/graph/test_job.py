"""The job as a whole: from an export to files."""

import csv
import io
import json
import os
import re
import subprocess
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import networkx as nx
import pytest

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import split
from functions.systems.graph.entity import NodeId
from ops.paths import ROOT, SPARK_PYTHON
from tests.batch.conftest import SETTINGS
from tests.batch.graph import expected
from tests.batch.graph.conftest import FULL, INSTANT, RESULT, RUN, Bucket, items
from tests.batch.graph.graphs import GRAPHS, Known

# One process runs them all: Spark starts once.
pytestmark = pytest.mark.xdist_group("spark")
AWKWARD = GRAPHS["awkward"]
PAGE = ROOT / "docs" / "batch.md"
SUBMIT = " ".join(
    ("--master local[2]", *(f"--conf {name}={value}" for name, value in SETTINGS.items()), "pyspark-shell")
)
Fill = Callable[..., Any]
# A test that names the fixture of each.
with_and_without_spark = pytest.mark.parametrize("how", ["fill", "fill_here"])


def check(bucket: Bucket, of: Known) -> None:
    """Every line says of its node what networkx says."""
    told = {NodeId(*line["node"]): line for line in map(json.loads, bucket.lines("nodes"))}
    components, ranks = expected.components(of), expected.ranks(of)
    assert set(told) == set(of.expected)
    for node, line in told.items():
        assert line["pagerank"] == pytest.approx(ranks[node], abs=1e-6)
        assert (NodeId(*line["component"]), line["component_nodes"]) == components[node]
        levels = [(*line[level].values(),) for level in ("two", "three")]
        assert [(*rest, Decimal(weight)) for *rest, weight in levels] == list(expected.levels(of, node, 1_000))
        similar = [(NodeId(kind, name), score, common) for kind, name, score, common in line["similar"]]
        assert similar == expected.similar(of, node, 1_000, 1_000_000)


@pytest.mark.parametrize("name", [pytest.param("karate", marks=pytest.mark.night("the awkward graph")), "awkward"])
@with_and_without_spark
def test_every_node_has_its_line(name: str, how: str, bucket: Bucket, request: pytest.FixtureRequest) -> None:
    known = GRAPHS[name]
    bucket.export(items(known))
    summary = request.getfixturevalue(how)()
    check(bucket, known)
    assert (bucket.path / RESULT / "nodes" / "_SUCCESS").exists()
    assert summary.pop("seconds") >= 0
    assert summary == {
        "run": RUN,
        "instant": INSTANT,
        "items": 1 + len(known.nodes) + 2 * len(known.edges),
        "unreadable": 0,
        "nodes": len(known.nodes),
        "edges": len(known.edges),
        "components": nx.number_weakly_connected_components(known.expected),
    }
    assert summary.items() <= bucket.summary.items()


def test_ranks_are_the_same_if_many_processes_add_them_up(
    bucket: Bucket, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.export(items(GRAPHS["florentine"]))
    monkeypatch.setattr("batch.graph.job.EDGES_A_ROUND", 10)
    fill()
    check(bucket, GRAPHS["florentine"])


@pytest.mark.parametrize("content", [[], list(items(GRAPHS["empty"]))], ids=["no items", "no nodes"])
def test_a_table_without_a_graph_has_empty_results(content: list[Item], bucket: Bucket, fill: Fill) -> None:
    bucket.export(content)
    assert (fill(with_neptune=True)["nodes"], bucket.lines("nodes")) == (0, [])


@with_and_without_spark
def test_a_repetition_takes_the_place_of_what_was_there(
    how: str, bucket: Bucket, request: pytest.FixtureRequest
) -> None:
    fill = request.getfixturevalue(how)
    for name in ("path", "florentine"):
        bucket.export(items(GRAPHS[name]))
        fill()
    check(bucket, GRAPHS["florentine"])


def test_what_can_not_be_read_is_counted_and_left_out(bucket: Bucket, fill: Fill, fill_here: Fill) -> None:
    torn: Item = {
        "PK": {"S": "NODE#p#amy"},
        "SK": {"S": "EDGE#L#p#bob"},
        "Type": {"S": "GRAPH_EDGE"},
        "Weight": {"N": "1E99"},
    }
    bucket.export([*items(GRAPHS["path"]), torn])
    assert fill(with_neptune=True)["unreadable"] == 1
    check(bucket, GRAPHS["path"])
    assert fill_here()["unreadable"] == 1


def test_a_torn_export_fails_the_job(bucket: Bucket, fill: Fill) -> None:
    bucket.export(items(GRAPHS["karate"]))
    data = next((bucket.path / FULL / "data").glob("*2.json.gz"))
    data.write_bytes(data.read_bytes()[:-1])
    with pytest.raises(Exception, match=r"000002\.json\.gz: its checksum differs"):
        fill()
    assert not (bucket.path / RESULT / "summary.json").exists()


def rows(lines: list[str], headers: int) -> list[dict[str, str]]:
    """The rows of several files of CSV, one after the other."""
    found = list(csv.DictReader(io.StringIO("\n".join(lines) + "\n", newline="")))
    assert sum(row["~id"] == "~id" for row in found) == headers - 1
    return [row for row in found if row["~id"] != "~id"]


def command(bucket: Bucket, *more: str) -> "subprocess.CompletedProcess[str]":
    """The job by its command, in Spark's own environment, which has nothing but botocore beside it."""
    told = ("--run", RUN, "--bucket", bucket.uri, "--full", FULL, "--out", RESULT)
    words = [str(SPARK_PYTHON), "-m", "batch.graph.job", *told, *more]
    variables = os.environ | {"PYSPARK_PYTHON": str(SPARK_PYTHON), "PYSPARK_SUBMIT_ARGS": SUBMIT}
    return subprocess.run(words, cwd=ROOT, env=variables, check=False, capture_output=True, text=True)


@pytest.mark.night("every node has its line")
def test_neptune_gets_the_same_graph(bucket: Bucket, spark_installed: None) -> None:
    bucket.export(items(AWKWARD))
    done = command(bucket, "--neptune")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == bucket.summary
    check(bucket, AWKWARD)
    made: nx.MultiDiGraph[NodeId] = nx.MultiDiGraph()
    ids: dict[str, NodeId] = {}
    for row in rows(bucket.lines("neptune/nodes"), parts(bucket, "nodes")):
        ids[row["~id"]] = name = NodeId(row["type:String"], row["id:String"])
        assert (row["~label"], split(row["~id"])) == (name.type, tuple(name))
        made.add_node(name)
    edges = rows(bucket.lines("neptune/edges"), parts(bucket, "edges"))
    assert len({row["~id"] for row in edges}) == len(edges)
    for row in edges:
        made.add_edge(ids[row["~from"]], ids[row["~to"]], row["~label"], weight=Decimal(row["exact:String"]))
        assert float(row["weight:Double"]) == float(row["exact:String"])
    assert nx.utils.graphs_equal(made, AWKWARD.expected)


@pytest.mark.night("other tests run what it measures")
def test_the_benchmark_that_the_page_names_runs(spark_installed: None) -> None:
    """On a thousandth of the edges."""
    (words,) = re.findall(r"`(\.venv-spark/bin/python -m benchmarks\.graph_job \d+)000`", PAGE.read_text())
    variables = os.environ | {"PYSPARK_PYTHON": str(SPARK_PYTHON), "PYSPARK_SUBMIT_ARGS": SUBMIT}
    done = subprocess.run(words.split(), cwd=ROOT, env=variables, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "'nodes': 200, 'edges': 1000," in done.stdout


def parts(bucket: Bucket, name: str) -> int:
    return len(list((bucket.path / RESULT / "neptune" / name).glob("part-*.gz")))
