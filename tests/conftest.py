"""A table in memory (moto) for every test that wants one, and the two engines of the contract tests."""

import itertools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from botocore import UNSIGNED
from botocore.config import Config
from hypothesis import HealthCheck, settings
from moto import mock_aws

from delivery import Reads
from edgewise import aws, clock
from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb import table as table_module
from edgewise.dynamodb import throttling
from edgewise.dynamodb.schema import create_table_request
from edgewise.dynamodb.table import CONFIG
from edgewise.freshness import known
from edgewise.freshness.known import Known
from edgewise.freshness.telling import Teller
from local import dynamodb
from tests.support.brisk import make_brisk
from tests.support.http import Client, Context
from tests.support.streams import PRESENT, Recording, StreamedMemory, StreamedTable
from tests.support.strict import make_strict

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# Powertools reads these when the handlers are imported.
os.environ.setdefault("POWERTOOLS_SERVICE_NAME", "tests")
os.environ.setdefault("POWERTOOLS_METRICS_NAMESPACE", "Edgewise")
# Imports the handlers, and only after this module: so they find what is set above.
pytest_plugins = (
    "tests.support.histories",
    "tests.support.budget",
    "tests.support.clocks",
    "tests.support.handlers",
    "tests.support.measured",
    "tests.support.needs",
    "tests.support.progress",
    "tests.support.reach.plugin",
    "tests.support.recorder",
    "tests.support.searching",
    "tests.support.starting",
)

ENV = {"AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
# Whatever points clients at other places than the engine under test.
FOREIGN_ENV = ("AWS_CA_BUNDLE", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_PROFILE", "AWS_SESSION_TOKEN")

# A busy machine is no finding.
settings.register_profile("edgewise", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("edgewise")
make_brisk()
# An answer that comes late is waited for: a request that the SDK repeats is refused for what its first copy did.
UNHURRIED = CONFIG.merge(Config(connect_timeout=300, read_timeout=300))

# moto looks at no signature, and to make one takes a sixth of a request's time.
UNSIGNED_CONFIG = CONFIG.merge(Config(signature_version=UNSIGNED))

_numbers = itertools.count(1)

# What functions know of shards, and when one tells without a heartbeat: but not in tests.
KNOWN, DUE = known.read, Teller.is_due


@pytest.fixture(scope="module")
def aws_env() -> Iterator[pytest.MonkeyPatch]:
    """Credentials that open nothing, and no endpoint of anybody's."""
    with pytest.MonkeyPatch.context() as patch:
        for name in FOREIGN_ENV:
            patch.delenv(name, raising=False)
        for name, value in ENV.items():
            patch.setenv(name, value)
        yield patch


@pytest.fixture(scope="module")
def moto_client(aws_env: pytest.MonkeyPatch) -> Iterator["DynamoDBClient"]:
    with mock_aws():
        client = dynamodb_client.client(UNSIGNED_CONFIG)
        make_strict(client)
        yield client


@pytest.fixture(autouse=True, scope="session")
def _present() -> Iterator[None]:
    """The store's clock shows the time of the records that the tests make: what is a day old is treated otherwise."""
    with patch.object(clock, "now", lambda: PRESENT):
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_heartbeats() -> Iterator[None]:
    """No heartbeats go through the stream, and functions know it: so answers say nothing of how fresh they are."""
    with patch.object(known, "read", lambda *_, **__: Known()), patch.object(Teller, "is_due", lambda *_: False):
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_streams() -> Iterator[None]:
    """No window's state is lost, so the consumer finds nothing when it reads a shard again."""
    with patch.object(aws, "streams", Reads):
        yield


@pytest.fixture(scope="session")
def dynamodb_local(java: None) -> Iterator[str]:
    """The endpoint of the reference engine."""
    with dynamodb.running() as url:
        yield url


@pytest.fixture(scope="session", autouse=True)
def unlimited_patience() -> Iterator[None]:
    """No time passes for the tables' patience; tests of it have clocks of their own."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (table_module, throttling):
            patch.setattr(module, "monotonic", lambda: 0.0)
        yield


def local_client(url: str) -> "DynamoDBClient":
    """A client of DynamoDB Local."""
    return dynamodb_client.client(UNHURRIED, url)


def create_table(client: "DynamoDBClient", name: str) -> None:
    """The table as it is deployed, but for its stream: the tests record their own, and DynamoDB Local's is slow.

    The more records such a stream has, the longer every write takes.
    """
    request = create_table_request(name)
    del request["StreamSpecification"]
    dynamodb.create_table(client, request)


def fresh_table(client: "DynamoDBClient") -> StreamedTable:
    """An empty table of its own: engines live longer than tests."""
    name = f"edgewise-{next(_numbers)}"
    create_table(client, name)
    return StreamedTable(name, client)


@pytest.fixture
def table(moto_client: "DynamoDBClient", monkeypatch: pytest.MonkeyPatch) -> StreamedTable:
    """An empty table in memory, which the HTTP functions use in place of one of their own."""
    table = fresh_table(moto_client)
    monkeypatch.setattr("functions.web.runtime.table", lambda: table)
    return table


@pytest.fixture
def http_event() -> Callable[..., dict[str, Any]]:
    """Makes the event of a request of someone in no group."""

    def event(route: str, path: dict[str, str], query: dict[str, str]) -> dict[str, Any]:
        return Client().event(route, query, **path)

    return event


@pytest.fixture
def lambda_context() -> Context:
    """What Lambda tells a handler about its invocation."""
    return Context()


@pytest.fixture(params=["moto", "dynamodb-local", "memory"])
def engine(request: pytest.FixtureRequest, aws_env: pytest.MonkeyPatch) -> Iterator[Recording]:
    """An empty table on each engine in turn; the last is what other tests have in place of an engine."""
    if request.param == "memory":
        yield StreamedMemory()
        return
    if request.param == "moto":
        yield fresh_table(request.getfixturevalue("moto_client"))
        return
    yield request.getfixturevalue("engine_on_local")


@pytest.fixture(scope="module")
def client_of_local(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> "DynamoDBClient":
    """One client for all tests of a module: to make one takes longer than many tests."""
    return local_client(dynamodb_local)


@pytest.fixture
def engine_on_local(client_of_local: "DynamoDBClient") -> Iterator[StreamedTable]:
    """An empty table on the reference engine."""
    table = fresh_table(client_of_local)
    yield table
    table.client.delete_table(TableName=table.name)
