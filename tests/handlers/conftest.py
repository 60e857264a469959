"""Every test here calls handlers."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from functions import bucket as buckets
from tests.handlers.results import BUCKET


@pytest.fixture(autouse=True)
def _handlers(handlers: None) -> None:
    """Also where a test does not ask for them."""


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
