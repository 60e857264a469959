"""The consumer with a table of the test's own."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.store import aggregate_writer
from functions.store.table import Table


@pytest.fixture
def consume(monkeypatch: pytest.MonkeyPatch, lambda_context: Any) -> Callable[[Table], Callable[[dict[str, Any]], Any]]:
    """Gives, for a table, the function that delivers one event to the consumer."""
    monkeypatch.setattr(aggregate_writer, "CONNECTIONS", 1)  # writes in a known order, so that a failure repeats
    monkeypatch.setattr(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "shard"))

    def on(table: Table) -> Callable[[dict[str, Any]], Any]:
        monkeypatch.setattr(edge_aggregator, "table", lambda: table)
        return lambda event: edge_aggregator.handler(event, lambda_context)

    return on


@pytest.fixture
def lambda_context() -> Any:
    """What Powertools' logger reads of Lambda's context."""
    return SimpleNamespace(
        function_name="edge_aggregator", memory_limit_in_mb=512, invoked_function_arn="arn", aws_request_id="request"
    )
