"""Every test here calls handlers."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from functions import bucket as buckets
from functions.handlers import pusher, socket, socket_authorizer, socket_sweeper
from tests.handlers.results import BUCKET
from tests.push.listening import Listeners, Passing
from tests.support.streams import StreamedTable


@pytest.fixture(autouse=True)
def _handlers(handlers: None) -> None:
    """Also where a test does not ask for them."""


@pytest.fixture
def listeners(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> Listeners:
    """Whoever has opened a socket; its functions use this test's table."""
    listeners = Listeners()
    for handler in (socket, socket_authorizer, socket_sweeper):
        monkeypatch.setattr(handler, "table", lambda: table)
    for sender in (socket, socket_sweeper, pusher):
        monkeypatch.setattr(sender, "gateway", lambda: listeners)
    return listeners


@pytest.fixture
def passing(monkeypatch: pytest.MonkeyPatch) -> Passing:
    """The queue to which the sender passes parts of notices."""
    passing = Passing()
    monkeypatch.setattr(pusher, "queue", lambda: passing)
    return passing


@pytest.fixture
def bucket(aws_env: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of S3, where the bucket of runs is, and is empty."""
    with mock_aws():
        buckets.client.cache_clear()
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        for each in client.list_objects_v2(Bucket=BUCKET).get("Contents", ()):
            client.delete_object(Bucket=BUCKET, Key=each["Key"])
        yield client
    buckets.client.cache_clear()
