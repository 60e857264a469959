"""What the job writes, published by the function: each node is answered what networkx knows of it."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import boto3
import pytest
from aws_lambda_powertools.utilities.typing import LambdaContext
from moto import mock_aws

from edgewise import clock
from edgewise.times import HOUR, from_rfc_3339
from functions import bucket as buckets
from functions.handlers import batch_publish
from functions.settings import BatchPublishSettings
from functions.systems.checks import locking
from functions.systems.checks.entity import Lock, Run
from functions.systems.graph import generations, summaries
from tests.batch.graph import expected
from tests.batch.graph.conftest import INSTANT, RESULT, RUN, Bucket, items
from tests.batch.graph.graphs import Known
from tests.support.http import Context
from tests.support.streams import StreamedTable


class Patient(Context):
    """An invocation that has just begun."""

    def get_remaining_time_in_millis(self) -> int:
        return 600_000


@pytest.fixture
def s3(aws_env: pytest.MonkeyPatch) -> Iterator[Any]:
    """An empty bucket: moto keeps those of other tests."""
    with mock_aws():
        buckets.client.cache_clear()
        made = boto3.resource("s3").create_bucket(Bucket="batch")
        made.objects.all().delete()
        yield made
    buckets.client.cache_clear()


@pytest.fixture
def ask(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The function, while a fill is under way."""
    at = from_rfc_3339(INSTANT)
    monkeypatch.setattr(clock, "now", lambda: at + HOUR)
    monkeypatch.setattr(batch_publish, "table", lambda: table)
    monkeypatch.setattr(batch_publish, "settings", lambda: BatchPublishSettings("unused", "batch"))
    locking.begin(table, Run(RUN, "fill", "running", at), Lock(RUN, "execution", at, at + HOUR))
    return lambda **event: batch_publish.handler({"run": RUN, **event}, cast(LambdaContext, Patient()))


def test_each_node_is_answered_what_the_job_computed(
    each: Known, bucket: Bucket, fill_here: Callable[..., Any], s3: Any, table: StreamedTable, ask: Callable[..., Any]
) -> None:
    bucket.export(items(each))
    fill_here()
    files = sorted(file.relative_to(bucket.path).as_posix() for file in (bucket.path / RESULT).rglob("*.*"))
    for file in (*files, f"{RESULT}/nodes/_SUCCESS"):
        s3.put_object(Key=file, Body=(bucket.path / file).read_bytes())
    for part in (file for file in files if "/nodes/part-" in file):
        ask(do="publish", part=part)
    assert ask(do="complete") == {"run": RUN, "instant": INSTANT, "nodes": len(each.expected)}
    generations._known.clear()
    ranks, components = expected.ranks(each), expected.components(each)
    for node in each.expected:
        found = summaries.find(table, node)
        assert found is not None
        assert (found.summary.component, found.summary.component_nodes) == components[node]
        assert float(found.summary.pagerank) == pytest.approx(ranks[node], abs=1e-6)
    generation = generations.current(table)
    assert generation is not None
    first = [float(ranked.pagerank) for ranked in summaries.top(table, generation, 5)]
    assert first == pytest.approx(sorted(ranks.values(), reverse=True)[:5], abs=1e-6)
