"""The project's own consumer, as it is deployed or on the baselines' terms."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from benchmarks import engine
from benchmarks.baselines.add import Handler
from benchmarks.deployment import working_on
from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb.table import Table
from functions.handlers import edge_aggregator
from functions.systems.graph.system import DEGREE


@contextmanager
def handler(table: Table, *, ranked: bool) -> Iterator[Handler]:
    """A batch handler that uses the table's own client.

    `ranked`: everything that the project keeps about a graph's edges, with each node's numbers in two rankings.
    Otherwise what the baselines keep: the numbers of each node and direction, once and in no index.

    """
    with working_on(table.name), patch.object(edge_aggregator, "table", lambda: table):
        degree = DEGREE if ranked else replace(DEGREE, parts=())
        with patch.object(edge_aggregator, "CATALOG", Catalog([degree])):
            yield _handle


def _handle(event: Mapping[str, Any]) -> Mapping[str, Any]:
    context: Any = engine.Context()
    answer: Mapping[str, Any] = edge_aggregator.handler(dict(event), context)
    return answer
