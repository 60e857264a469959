"""Fixtures: the handlers on a table in memory, with the stream's readers at hand."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from unittest.mock import patch

import boto3
import pytest

from edgewise.dynamodb.keys import digest
from edgewise.stream import writer
from functions import rates, users
from functions.handlers import cascade, edge_aggregator
from functions.revocations import Known
from functions.secrets import cursor_secret
from functions.settings import NO_BATCH, STATEMENTS
from functions.systems.proof import replaying
from functions.systems.telemetry import ingest
from functions.web import runtime
from functions.web.leases import Leases
from tests.support.http import Context
from tests.support.streams import StreamedTable, window_event

# Those of Cognito have 36 characters.
LONGEST_SUB = 64
SECRET = "the secret of these tests, 32 bytes"


@pytest.fixture(autouse=True, scope="session")
def nobody_subscribes() -> Iterator[None]:
    """The stream's second reader passes nothing on, as without all options; tests of these have their own queues."""
    with ExitStack() as nowhere:
        for name in ("queue", "topic", "search", "outlet"):
            nowhere.enter_context(patch.object(cascade, name, lambda: None))
        yield


@pytest.fixture(autouse=True, scope="session")
def everything_is_put() -> Iterator[None]:
    """As on the local cloud; tests of statements say so."""
    with patch.dict(os.environ, {"WRITES": "puts", "KEEPS": NO_BATCH}):
        yield


@pytest.fixture(autouse=True, scope="session")
def everybody_is_known() -> Iterator[None]:
    """By a name that is the `sub`, as of `Client`, unless it is too long; tests of it have users of their own."""

    def sub_of(_: str, name: str) -> str:
        return name if len(name.encode()) <= LONGEST_SUB else digest(name)

    with patch.dict(os.environ, {"USER_POOL_ID": "us-east-1_EXAMPLE"}), patch.object(users, "sub_of", sub_of):
        yield


@pytest.fixture(autouse=True, scope="session")
def lambda_delivers_the_stream() -> Iterator[None]:
    """So nobody can be asked to deliver it otherwise; tests of that have the local cloud."""
    with patch.dict(os.environ, {"DELIVERY": "lambda"}):
        yield


@pytest.fixture(autouse=True, scope="session")
def runs_may_take_long() -> Iterator[None]:
    """A run in memory takes seconds of CPU: beside busy processes more than a request may."""
    with patch.object(replaying, "PATIENCE_SECONDS", 120):
        yield


@pytest.fixture(autouse=True, scope="session")
def nobody_is_revoked() -> Iterator[None]:
    """And nobody asks for it, so that costs are those of the routes; tests of it do."""
    with patch.object(Known, "refuse", lambda *_: False):
        yield


@pytest.fixture(autouse=True, scope="session")
def everybody_may_take_all() -> Iterator[None]:
    """And nothing is leased, so that costs are those of the routes; tests of it have rates."""
    limits = {"RATES": rates.to_text({rates.EVERYBODY: 50}), "REQUEST_UNITS": "2500"}
    nothing = patch.multiple(Leases, need=lambda *_: None, spend=lambda *_: None)
    with patch.dict(os.environ, limits), nothing:
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
    caches = (
        *(runtime.settings, runtime.limits, runtime.leases, runtime.cursors),
        *(edge_aggregator.settings, edge_aggregator.teller, ingest.settings, cursor_secret),
    )
    for cached in caches:
        cached.cache_clear()
    for reader in (edge_aggregator, cascade):
        monkeypatch.setattr(reader, "table", lambda: table)
    monkeypatch.setattr(writer, "WRITERS", 1)  # records of the consumer's writes in a known order
    yield
    for cached in caches:
        cached.cache_clear()


@pytest.fixture
def by_statements(handlers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """New readings are written as on AWS."""
    monkeypatch.setenv("WRITES", STATEMENTS)
    ingest.settings.cache_clear()


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
