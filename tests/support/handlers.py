"""Fixtures: the handlers on a table in memory, with the stream's readers at hand."""

from collections.abc import Callable, Iterator
from unittest.mock import patch

import boto3
import pytest

from functions.dynamodb.secrets import cursor_secret
from functions.handlers import cascade, edge_aggregator
from functions.settings import NOTHING_DEFERRED
from functions.stream import writer
from functions.web import runtime
from tests.support.http import Context
from tests.support.streams import StreamedTable, window_event

SECRET = "the secret of these tests, 32 bytes"


@pytest.fixture(autouse=True, scope="session")
def nobody_subscribes() -> Iterator[None]:
    """The stream's second reader passes nothing on, as without push; tests of it have queues of their own."""
    with patch.object(cascade, "queue", lambda: None):
        yield


@pytest.fixture(scope="module")
def cursor_secret_arn(moto_client: object) -> str:
    arn: str = boto3.client("secretsmanager").create_secret(Name="cursors", SecretString=SECRET)["ARN"]
    return arn


@pytest.fixture
def handlers(table: StreamedTable, cursor_secret_arn: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every handler's settings, and this test's table in place of a client of its own."""
    monkeypatch.setenv("TABLE_NAME", table.name)
    monkeypatch.setenv("CURSOR_SECRET_ARN", cursor_secret_arn)
    monkeypatch.setenv("SHARD_SOURCE", "shard")
    monkeypatch.setenv("WRITES", "puts")
    monkeypatch.setenv("DEFERRED", NOTHING_DEFERRED)
    monkeypatch.setenv("PARTIALS", "1")
    caches = (runtime.settings, runtime.cursors, edge_aggregator.settings, cursor_secret)
    for cached in caches:
        cached.cache_clear()
    for reader in (edge_aggregator, cascade):
        monkeypatch.setattr(reader, "table", lambda: table)
    monkeypatch.setattr(writer, "WRITERS", 1)  # records of the consumer's writes in a known order
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.fixture
def drain(table: StreamedTable, handlers: None) -> Callable[[], None]:
    """Let both readers of the stream have what it holds, and what they write themselves."""

    def absorb() -> None:
        for shard, records in table.shards.items():
            while records:
                batch, records[:] = list(records), []
                edge_aggregator.handler(window_event(shard, batch), Context())
                cascade.handler({"Records": batch}, Context())

    return absorb
