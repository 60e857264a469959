"""The consumer with a table of the test's own."""

import uuid
from collections.abc import Callable

import boto3
import pytest

from delivery import Handler
from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.store import aggregate_writer
from functions.store.schema import create_table_request
from functions.store.table import CONFIG, Table
from tests.delivery.simulated import SimulatedEngine


@pytest.fixture
def consume(monkeypatch: pytest.MonkeyPatch) -> Callable[[Table], Handler]:
    """Gives, for a table, the consumer that works on it."""
    monkeypatch.setattr(aggregate_writer, "CONNECTIONS", 1)  # writes in a known order, so that a failure repeats
    monkeypatch.setattr(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "shard"))

    def on(table: Table) -> Handler:
        monkeypatch.setattr(edge_aggregator, "table", lambda: table)
        handler: Handler = edge_aggregator.handler
        return handler

    return on


@pytest.fixture
def engine_table(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Callable[[], SimulatedEngine]:
    """Makes empty tables on DynamoDB Local."""
    client = boto3.client("dynamodb", endpoint_url=dynamodb_local, config=CONFIG)

    def new() -> SimulatedEngine:
        name = f"delivery-{uuid.uuid4()}"
        client.create_table(**create_table_request(name))
        return SimulatedEngine(name, client, shards=4)

    return new
