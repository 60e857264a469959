"""`make invoke FN=telemetry EVENT=tests/events/telemetry_http.json`: one handler, one event, in this process.

The handler uses the local cloud if it is running, with the environment of the deployed function; otherwise it uses a
table in memory that holds a few samples. Functions whose events describe changes always use the table in memory,
because the changes in an event given here have not happened on the cloud. The result goes to stdout; the name of the
place and the function's log go to stderr.
"""

import importlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import boto3
from moto import mock_aws

from edgewise.dynamodb.schema import create_table_request
from functions import rates
from functions.catalog import module_of
from functions.settings import (
    NO_BATCH,
    NO_OUTLET,
    NO_PUSH,
    NO_SEARCH,
    NO_TOPIC,
    BatchRunSettings,
    BatchVerifySettings,
    CascadeSettings,
    ConsumerSettings,
    DocumentsSettings,
    HeartbeatSettings,
    IndexerSettings,
    OperationsSettings,
    OutletSettings,
    ProofSettings,
    RoutesSettings,
    SocketSettings,
)
from local.context import Context
from local.events import FUNCTIONS, TOLD_OF_CHANGES, check
from ops import local_cloud
from ops.errors import LocalError
from ops.local_cloud import CREDENTIALS, REGION, Cloud
from ops.passwords import DEMO_USERS

TABLE = "edgewise-memory"
# Where the table in memory is, connections are too: what is sent to them is taken, and nobody gets it.
SOCKETS = f"https://memory.execute-api.{REGION}.amazonaws.com/live"
NAMESPACE = "Edgewise"


class InvokeError(LocalError):
    """The function or the event does not exist."""


def invoke(name: str, event_file: Path) -> Any:
    """The handler's result; raises InvokeError, EventError, or what the handler raises."""
    if name not in FUNCTIONS:
        raise InvokeError(f"FN={name}: expected one of {', '.join(FUNCTIONS)}")
    event = read_event(event_file)
    check(name, event)
    running = local_cloud.default()
    on_it = running.pid() is not None and name not in TOLD_OF_CHANGES
    with redirect_stdout(sys.stderr), on_cloud(running, name) if on_it else seeded():
        print(f"on the local cloud, {running.url}" if on_it else "on a table in memory, with a few samples")
        return call(name, event)


def call(name: str, event: Any) -> Any:
    """The handler's result, in the present environment."""
    # Imported only now, because handlers read the environment when they are imported.
    return importlib.import_module(module_of(name)).handler(event, Context(name))


def read_event(path: Path) -> Any:
    """The event in a file; raises InvokeError if the file can't be read or isn't JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvokeError(f"EVENT={path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InvokeError(f"EVENT={path}: is not JSON: {error}") from error


@contextmanager
def in_memory() -> Iterator[None]:
    """An empty table and a secret in memory, and an environment in which any function uses them."""
    region = {"AWS_DEFAULT_REGION": REGION}
    with environment(local_cloud.clean_env() | CREDENTIALS | region), mock_aws():
        boto3.client("dynamodb").create_table(**create_table_request(TABLE))
        secret = boto3.client("secretsmanager").create_secret(Name="cursors", SecretString="only in memory")
        routes = RoutesSettings(TABLE, secret["ARN"], rates.to_text({rates.EVERYBODY: 4_000}), request_units="2500")
        readers = {"consumer": "consumer", "cascade": "cascade"}
        http = OperationsSettings(**vars(routes), **readers, powertools_metrics_namespace=NAMESPACE)
        consumer = ConsumerSettings(TABLE, "puts", NO_BATCH)
        runs = BatchRunSettings(table_name=TABLE, bucket="edgewise-memory", before_seconds="900", after_seconds="900")
        verify = BatchVerifySettings(table_name=TABLE, bucket=runs.bucket, rest_seconds="1")
        proof = ProofSettings(**vars(routes), delivery="local")
        documents = DocumentsSettings(**vars(routes), user_pool_id="users in memory")
        needed = (
            verify.to_env() | http.to_env() | documents.to_env() | proof.to_env() | consumer.to_env() | runs.to_env()
        )
        needed |= (
            CascadeSettings(
                TABLE,
                push_queue_url=NO_PUSH,
                alert_topic_arn=NO_TOPIC,
                search_queue_url=NO_SEARCH,
                outlet_queue_url=NO_OUTLET,
                outlet=NO_OUTLET,
                writes="puts",
            ).to_env()
            | SocketSettings(TABLE, SOCKETS).to_env()
            | IndexerSettings(TABLE, search_index=f"s3://{runs.bucket}", search_queue_url=NO_SEARCH).to_env()
        )
        needed |= OutletSettings(event_bus_name="default").to_env()
        needed |= HeartbeatSettings(TABLE, stream_arn="in memory", queue_url="in memory").to_env()
        set_up = environment(dict(os.environ) | needed | powertools("edgewise"))
        with set_up, patch("functions.users.sub_of", _demo_user):
            yield


def _demo_user(_pool: str, name: str) -> str | None:
    """Whom Cognito would find."""
    return name if name in DEMO_USERS else None


@contextmanager
def seeded() -> Iterator[None]:
    """The same, with a few samples in the table."""
    with in_memory():
        importlib.import_module("local.seed").seed(TABLE)  # imported only now, as handlers are
        yield


@contextmanager
def on_cloud(running: Cloud, name: str) -> Iterator[None]:
    """The environment of the deployed function, for this process, which is outside the local cloud."""
    function = local_cloud.outputs(running).function(name)
    deployed = running.client("lambda").get_function_configuration(FunctionName=function)
    with environment(running.env() | deployed["Environment"]["Variables"]):
        yield


def powertools(service: str) -> dict[str, str]:
    """The settings of the Powertools library, as the deployment sets them."""
    return {"POWERTOOLS_SERVICE_NAME": service, "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE}


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    """Set exactly these environment variables during a block, with temporary files of its own, as on Lambda."""
    before = dict(os.environ)
    try:
        os.environ.clear()
        os.environ.update(variables)
        with TemporaryDirectory() as own, patch("tempfile.tempdir", own):
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
