"""The consumer with a table of the test's own."""

import uuid
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.store import aggregate_writer
from functions.store.schema import create_table_request
from functions.store.table import CONFIG, Table
from tests.delivery.hostile import FragileEngine


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
def engine_table(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Callable[[], FragileEngine]:
    """Makes empty tables on DynamoDB Local."""
    client = boto3.client("dynamodb", endpoint_url=dynamodb_local, config=CONFIG)

    def new() -> FragileEngine:
        name = f"delivery-{uuid.uuid4()}"
        client.create_table(**create_table_request(name))
        return FragileEngine(name, client, shards=4)

    return new
