"""Each function starts from its code and its layers alone, and imports no more than its cold start should take.

No package of this machine, or of the emulator, helps out.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from functions.catalog import module_of
from functions.routes import ROUTES
from functions.systems.proof import replaying
from functions.systems.proof.replaying import MODULE
from infra import bundle
from infra.bundle import BREAKABLE
from infra.functions import FUNCTIONS

START = """
import gc, json, sys
# As on Lambda: a function's code, then the layers, then Python's own.
sys.path[:] = [*sys.argv[2:], *(path for path in sys.path if "site-packages" not in path)]
import functions, importlib
def collections():
    return sum(generation["collections"] for generation in gc.get_stats())
began = collections()
importlib.import_module(sys.argv[1]).handler
modules = sorted(sys.modules)
found = {"modules": modules, "collections": collections() - began, "collects again": gc.isenabled()}
found["frozen"] = gc.get_freeze_count() > 0
gc.unfreeze()
found["clients"] = sorted(type(each).__name__ for each in gc.get_objects() if hasattr(type(each), "get_paginator"))
from edgewise import aws
aws.client("secretsmanager")
print(json.dumps(found))
"""
ENV = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_LAMBDA_FUNCTION_NAME": "under-test",  # clients are made at the start, as on Lambda
    "TABLE_NAME": "Edgewise",
    "CURSOR_SECRET_ARN": "arn",
    "RATES": '{"everybody": 50}',
    "REQUEST_UNITS": "2500",
    "WRITES": "statements",
    "STREAM_ARN": "arn",
    "QUEUE_URL": "url",
    "BUCKET": "edgewise",
    "BEFORE_SECONDS": "900",
    "AFTER_SECONDS": "900",
    "REST_SECONDS": "130",
    "PUSH_QUEUE_URL": "none",
    "ALERT_TOPIC_ARN": "none",
    "SEARCH_QUEUE_URL": "none",
    "OUTLET_QUEUE_URL": "none",
    "OUTLET": "none",
    "KEEPS": "none",
    "EVENT_BUS_NAME": "bus",
    "SEARCH_INDEX": "s3://index",
    "SOCKET_ENDPOINT": "https://edgewise.example.com/live",
    "POWERTOOLS_SERVICE_NAME": "test",
    "POWERTOOLS_METRICS_NAMESPACE": "Edgewise",
}


@pytest.fixture(scope="module")
def layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("layer")
    bundle.write_layer(target, None)
    return target / bundle.LAYER_FOLDER


@pytest.fixture(scope="module")
def search_layer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("search")
    bundle.write_layer(target, None, bundle.SEARCH_REQUIREMENTS)
    return target / bundle.LAYER_FOLDER


def test_nothing_is_shipped_that_no_function_imports(layer: Path) -> None:
    """Decision 29: whoever gets boto3 back by an extra of another package is told."""
    assert not {"boto3", "s3transfer"} & {path.name for path in layer.iterdir()}
    assert (layer / "botocore").is_dir()


Start = Callable[[str], Any]


@pytest.fixture(scope="module")
def start(layer: Path, search_layer: Path, tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Start a function once, and tell what it did."""

    @cache
    def started(name: str) -> Any:
        code = tmp_path_factory.mktemp(name)
        bundle.write_code(name, code)
        folders = [code, layer, *([search_layer] if name in bundle.SEARCHING else [])]
        command = [sys.executable, "-S", "-c", START, module_of(name), *map(str, folders)]
        done = subprocess.run(command, env=ENV, cwd=code, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return started


@pytest.mark.parametrize("name", [*FUNCTIONS, *BREAKABLE.values()])
def test_starts_from_its_code_and_its_layers_alone(name: str, start: Start) -> None:
    found = start(name)
    made = ["EventBridge"] if name == "outlet" else ["DynamoDB"]
    assert found["clients"] == made, "made before the first invocation"
    # Nor does anybody wait for the sender of what others read, which starts with their functions, as the socket's does.
    assert found["collections"] == 0 or name in ("pusher", "socket"), "the collector rests while modules are imported"
    assert found["frozen"], "it leaves them alone for ever"
    assert found["collects again"]


def test_a_run_starts_from_the_code_and_the_layer_of_who_starts_it_alone(layer: Path, tmp_path: Path) -> None:
    bundle.write_code("proof", tmp_path)
    command = [sys.executable, "-S", "-m", MODULE, "1", ""]
    environment = {**replaying.environment(), "PYTHONPATH": f"{tmp_path}:{layer}"}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["ends"]


# What a system declares that it needs of others (see the contracts in pyproject.toml).
TIES = {"places": {"telemetry"}, "walks": {"graph"}}
# They show and mend the aggregates of all systems, or find what is in them.
ABOUT_ALL = {"operations", "proof", "quarantine", "search"}


@pytest.mark.parametrize("function", sorted(ROUTES.keys() - ABOUT_ALL))
def test_a_function_with_routes_imports_its_own_system_only(function: str, start: Start) -> None:
    modules = start(function)["modules"]
    systems = {name.split(".")[2] for name in modules if name.startswith("functions.systems.")}
    assert systems == {function} | TIES.get(function, set())
    assert not {name for name in modules if name.startswith(("functions.catalog", "edgewise.stream"))}


@pytest.mark.parametrize("function", ["edge_aggregator", *BREAKABLE.values(), "cascade"])
def test_the_readers_of_the_stream_import_every_system_but_no_routes(function: str, start: Start) -> None:
    modules = start(function)["modules"]
    assert {f"functions.systems.{name}.system" for name in ROUTES} <= set(modules)
    assert not {name for name in modules if name.startswith(("pydantic", "functions.web")) or name.endswith(".routes")}


# Nobody waits for the sender, and it does nothing but take messages of a queue.
@pytest.mark.parametrize("function", sorted(FUNCTIONS.keys() - {"pusher"}))
def test_no_function_imports_what_takes_long_and_few_requests_need(function: str, start: Start) -> None:
    heavy = (
        "aws_lambda_powertools.utilities.batch",  # for messages from a queue
        "aws_lambda_powertools.utilities.parser",  # comes with the former: models of all kinds of events
        "boto3",
        "cryptography",  # for cursors
        "multiprocessing",  # comes with boto3
        "pydantic.v1",
        "s3transfer",  # comes with boto3
    )
    assert not {name for name in start(function)["modules"] if name.startswith(heavy)}


# The sender reads what requests read, and the socket's function refuses the addresses that requests are refused.
VALIDATING = {"redrive", "pusher", "socket"} | {name for name in FUNCTIONS if name.startswith("batch_")}


@pytest.mark.parametrize("function", sorted(set(FUNCTIONS) - set(ROUTES) - VALIDATING))
def test_what_serves_no_requests_imports_nothing_that_validates_them(function: str, start: Start) -> None:
    served = ("aws_lambda_powertools.event_handler", "aws_lambda_powertools.utilities.data_classes", "asyncio")
    assert not {name for name in start(function)["modules"] if name.startswith(("pydantic", *served))}
