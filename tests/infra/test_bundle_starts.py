"""Each function starts from its code and the layer alone: no package of this machine (or of the emulator) helps out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from functions.catalog import module_of
from infra import bundle
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
found = {"collections": collections() - began, "collects again": gc.isenabled(), "frozen": gc.get_freeze_count() > 0}
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
    "SHARD_SOURCE": "shard",
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
    """Decision 48: whoever gets boto3 back by an extra of another package is told."""
    assert not {"boto3", "s3transfer"} & {path.name for path in layer.iterdir()}
    assert (layer / "botocore").is_dir()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_starts_from_its_code_and_its_layers_alone(name: str, layer: Path, search_layer: Path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    bundle.write_code(name, code)
    folders = [code, layer, *([search_layer] if name in bundle.SEARCHING else [])]
    command = [sys.executable, "-S", "-c", START, module_of(name), *map(str, folders)]
    started = subprocess.run(command, env=ENV, cwd=tmp_path, capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    found = json.loads(started.stdout.splitlines()[-1])
    assert found["clients"] == ["DynamoDB"], "made before the first invocation"
    # Nor does anybody wait for the sender of what others read, which starts with their functions, as the socket's does.
    assert found["collections"] == 0 or name in ("pusher", "socket"), "the collector rests while modules are imported"
    assert found["frozen"], "it leaves them alone for ever"
    assert found["collects again"]
