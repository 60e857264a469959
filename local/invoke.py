"""`make invoke FN=telemetry EVENT=tests/events/telemetry_http.json`: one handler, one event, in this process.

If the local cloud is running, a function of the API works on its table, with the environment of the deployed function.
Otherwise, and always for functions without routes, the table is empty and in memory. The result goes to stdout, the
function's log to stderr.
"""

import importlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from moto import mock_aws

from functions.catalog import ROUTES, module_of
from functions.dynamodb.schema import create_table_request
from functions.settings import ConsumerSettings, HttpSettings
from local import cloud, deploy
from local.cloud import CREDENTIALS, REGION, Cloud
from local.errors import LocalError
from local.events import check

FUNCTIONS = (*ROUTES, "edge_aggregator", "cascade", "redrive", "sweeper")
TABLE = "edgewise-memory"


class InvokeError(LocalError):
    """The function or the event does not exist."""


@dataclass(frozen=True)
class Context:
    """Lambda's context object."""

    function_name: str
    memory_limit_in_mb: int = 1024
    aws_request_id: str = "00000000-0000-0000-0000-000000000000"

    @property
    def invoked_function_arn(self) -> str:
        """The name that the function would have on the local cloud."""
        return f"arn:aws:lambda:{REGION}:{cloud.ACCOUNT}:function:{self.function_name}"

    def get_remaining_time_in_millis(self) -> int:
        """As if the invocation had just begun; the time of the slowest function."""
        return 300_000


def invoke(name: str, event_file: Path) -> Any:
    """The handler's result; raises InvokeError, EventError, or what the handler raises."""
    if name not in FUNCTIONS:
        raise InvokeError(f"FN={name}: expected one of {', '.join(FUNCTIONS)}")
    event = read_event(event_file)
    check(name, event)
    running = cloud.default()
    # Never the stream consumer: it would take an invented record's sequence number for the stream's own position.
    backend = on_cloud(running, name) if name in ROUTES and running.pid() else in_memory()
    with redirect_stdout(sys.stderr), backend:
        # Imported only now: what a handler creates at import must see the environment.
        handler = importlib.import_module(module_of(name)).handler
        return handler(event, Context(name))


def read_event(path: Path) -> Any:
    """The event in a file; raises InvokeError when it can't be read or isn't JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvokeError(f"EVENT={path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvokeError(f"EVENT={path}: is not JSON: {error}") from error


@contextmanager
def in_memory() -> Iterator[None]:
    """An empty table and a secret in memory, and the environment that points any function at them."""
    region = {"AWS_DEFAULT_REGION": REGION}
    with environment(cloud.clean_env() | CREDENTIALS | region), mock_aws():
        boto3.client("dynamodb").create_table(**create_table_request(TABLE))
        secret = boto3.client("secretsmanager").create_secret(Name="cursors", SecretString="only in memory")
        http = HttpSettings(table_name=TABLE, cursor_secret_arn=secret["ARN"])
        consumer = ConsumerSettings(table_name=TABLE, shard_source="shard")
        with environment(dict(os.environ) | http.to_env() | consumer.to_env() | powertools("edgewise")):
            yield


@contextmanager
def on_cloud(running: Cloud, name: str) -> Iterator[None]:
    """The environment of the deployed function, for a process outside the local cloud."""
    output = f"{''.join(map(str.capitalize, name.split('_')))}FunctionName"
    deployed = running.client("lambda").get_function_configuration(FunctionName=deploy.outputs(running)[output])
    with environment(running.env() | deployed["Environment"]["Variables"]):
        yield


def powertools(service: str) -> dict[str, str]:
    """The settings of the Powertools library, as the deployment sets them."""
    return {"POWERTOOLS_SERVICE_NAME": service, "POWERTOOLS_METRICS_NAMESPACE": "Edgewise"}


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """Set exactly these environment variables during a block."""
    before = dict(os.environ)
    try:
        os.environ.clear()
        os.environ.update(variables)
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m local.invoke FUNCTION EVENT_FILE")
    try:
        print(json.dumps(invoke(sys.argv[1], Path(sys.argv[2])), indent=2, default=str))
    except LocalError as error:
        sys.exit(str(error))
