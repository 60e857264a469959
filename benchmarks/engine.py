"""DynamoDB Local with tables of the project's schema, and the environment that points the functions at it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import boto3
from botocore.config import Config

from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb.schema import create_table_request
from edgewise.dynamodb.table import CONFIG, Table
from functions import rates, startup
from local import dynamodb

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

REGION = "us-east-1"
# On a busy machine an answer may be late. What is written but not answered in time would be missing in the stream.
PATIENT = CONFIG.merge(Config(read_timeout=300))
# Stays open: loggers keep the stream that they find when they are created.
SINK = Path(os.devnull).open("w")  # noqa: SIM115


@dataclass(frozen=True)
class Context:
    """Lambda's context object, as far as ours and Powertools use it."""

    function_name: str = "benchmark"
    memory_limit_in_mb: int = 1024
    aws_request_id: str = "00000000-0000-0000-0000-000000000000"
    invoked_function_arn: str = f"arn:aws:lambda:{REGION}:123456789012:function:benchmark"

    def get_remaining_time_in_millis(self) -> int:
        """As if the invocation had just begun."""
        return 60_000


@contextmanager
def running() -> Iterator[None]:
    """Run the engine and point this process at it; import handlers only inside, because they read the environment."""
    startup.seldom()
    with dynamodb.running() as url, patch.dict(os.environ, environment(url)):
        yield


@contextmanager
def silenced() -> Iterator[None]:
    """Let logs and metrics be made as on Lambda, and discard them."""
    with redirect_stdout(SINK):
        yield


def environment(url: str) -> dict[str, str]:
    """The environment that the functions' deployment would set, with the engine's address in place of AWS."""
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "WRITES": "statements",
        "CURSOR_SECRET_ARN": "unused",
        "RATES": rates.to_text({rates.EVERYBODY: 4_000}),
        "REQUEST_UNITS": "2500",
    } | settings()


def settings() -> dict[str, str]:
    """What handlers need to be imported."""
    return {"POWERTOOLS_SERVICE_NAME": "benchmark", "POWERTOOLS_METRICS_NAMESPACE": "Edgewise"}


def client() -> "DynamoDBClient":
    """A client configured as the functions' own."""
    return dynamodb_client.client(CONFIG)


def plain_client() -> "DynamoDBClient":
    """A client as in public examples."""
    return boto3.client("dynamodb")


def create(name: str, of: "DynamoDBClient | None" = None) -> Table:
    """A new table with the project's keys and indexes, without its stream (benchmarks/stream.py says why)."""
    table = Table(name, of or client(), statements=True)
    request = create_table_request(name)
    del request["StreamSpecification"]
    dynamodb.create_table(table.client, request)
    return table


def create_idempotency(name: str) -> None:
    """A new table as the Powertools idempotency utility expects it."""
    client().create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    )
